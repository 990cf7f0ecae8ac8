/**
 * The shapes that cross the socket (protocol 2), for the type checker alone.
 *
 * @typedef {Record<string, unknown>} Json
 *
 * @typedef {{name: string, bot: string | null, present: boolean, absent_at: number | null}} Sitter
 *
 * @typedef {object} Handshake
 * @property {"hash" | "reveal"} step
 * @property {number} until
 * @property {string} commitment
 * @property {(string | null)[]} hashes  by seat, handed on when all are in
 * @property {boolean[]} done  by seat: the present step
 *
 * @typedef {object} Fairness  what may be checked by now
 * @property {string} match
 * @property {string} commitment
 * @property {string[]} hashes
 * @property {string[]} numbers
 * @property {string[]} secrets  of the hands that have ended
 *
 * @typedef {object} SeatTime  a seat's clock, all in milliseconds
 * @property {number} reserve_ms  as of the last settling
 * @property {number | null} since  the move runs since then
 * @property {number | null} move_until  its own seconds are used up
 * @property {number | null} until  the reserve is used up too
 * @property {number | null} absence_until  the countdown of who is absent and on turn
 * @property {number} timeouts
 *
 * @typedef {{until: number, ready: boolean[]}} Pause
 *
 * @typedef {object} Ended
 * @property {number[]} winners
 * @property {"points" | "resigned" | "time" | "left" | "void"} reason
 * @property {number[]} score
 * @property {number} at
 * @property {boolean} kept  it has a page of its own
 * @property {number[] | null} coins  moved by the ledger, by seat
 * @property {{before: number, after: number, provisional: boolean}[] | null} ratings  by seat
 *
 * @typedef {{wants: boolean[], wins: number[], possible: boolean}} Series
 *
 * @typedef {"no_hash" | "no_number" | "left" | "playing_elsewhere" | "unfunded" | "ledger_away"
 *   | "voided"} VoidCause
 *
 * @typedef {{match: string, cause: VoidCause, seats: number[]}} Voided
 *
 * @typedef {object} Notice  the site was down
 * @property {number} outage_ms
 * @property {number} ended_at
 * @property {number} frozen_ms  clocks stand still so long yet
 *
 * @typedef {object} Table
 * @property {string} id
 * @property {string} game
 * @property {string} rules
 * @property {Record<string, number>} options
 * @property {number} now  site time when the frame was made
 * @property {boolean} public
 * @property {number} stake  coins of each seat, 0 at a free table
 * @property {number} pot  what the winner gets
 * @property {{move_ms: number, reserve_ms: number, absence_ms: number}} clock
 * @property {"open" | "funding" | "handshake" | "running" | "ended" | "closed"} status
 * @property {(Sitter | null)[]} seats
 * @property {number | null} you
 * @property {number | null} host
 * @property {string | null} match
 * @property {number} ply
 * @property {Handshake | null} handshake
 * @property {Fairness | null} fairness
 * @property {SeatTime[] | null} clocks  by seat
 * @property {Pause | null} pause  between hands
 * @property {Ended | null} ended
 * @property {Series} rematch
 * @property {Voided | null} void  the last handshake that came to nothing
 * @property {"host_left" | "expired" | "host_away" | null} closed
 * @property {any} view  the game's own view: DominoView or NardiView
 *
 * @typedef {Json & {event?: string, number?: number}} TableEvent  a hidden one is its bare number
 *
 * @typedef {object} Refused
 * @property {string} id
 * @property {string} code
 * @property {string} rule
 * @property {Record<string, string | number>} values
 *
 * @typedef {{type: "act", match: string, ply: number, action: Json}} Act
 *
 * @typedef {{type: "hash", match: string, hash: string}
 *   | {type: "reveal", match: string, number: string}
 *   | {type: "ready", match: string} | {type: "resign", match: string}
 *   | {type: "leave", match: string | null}
 *   | {type: "rematch", match: string, want: boolean}} Wish
 *
 * @typedef {(Act | Wish) & {id: string}} Command
 *
 * @typedef {(key: string, values?: Record<string, string | number>) => string} Translate
 *
 * @typedef {object} Outcome
 * @property {number[]} winners
 * @property {string} reason
 * @property {number[]} score
 *
 * @typedef {"L" | "R" | "U" | "D"} End
 *
 * @typedef {object} Placed
 * @property {number} seat
 * @property {string} tile
 * @property {End | null} end
 * @property {number} in    the half towards the chain (an opening tile: towards L)
 * @property {number} out   the outer half (an opening tile: towards R)
 * @property {number} points
 *
 * @typedef {object} OpenEnd
 * @property {End} end
 * @property {number} asks
 * @property {number} value
 *
 * @typedef {object} Lay
 * @property {"lay"} action
 * @property {string} tile
 * @property {End | null} end
 * @property {number} sum
 * @property {number} points
 *
 * @typedef {Lay | {action: "draw"}} DominoAction
 *
 * @typedef {object} DominoHandEnd
 * @property {number} hand
 * @property {"domino" | "riba" | "drawn" | "redeal"} end
 * @property {number | null} winner
 * @property {number} points
 * @property {number[]} score
 * @property {number | null} next
 * @property {string[][]} hands
 * @property {number[]} pips
 *
 * @typedef {object} Search
 * @property {number} seat
 * @property {number[]} asks
 * @property {number} placed
 * @property {number} drew
 * @property {boolean} passed
 *
 * @typedef {object} DominoView
 * @property {number} hand
 * @property {number} target
 * @property {number[]} score
 * @property {number | null} seat
 * @property {number | null} turn
 * @property {number | null} opener
 * @property {string | null} must_open
 * @property {number[]} counts
 * @property {string[]} tiles
 * @property {{left: number, protected: number}} bazaar
 * @property {Placed[]} placed
 * @property {string | null} stavka
 * @property {OpenEnd[]} ends
 * @property {number} sum
 * @property {DominoAction[]} legal
 * @property {Search[]} searches
 * @property {DominoHandEnd | null} last_hand
 * @property {Outcome | null} outcome
 * @property {string[][]} [all_tiles]    of a match that is over: everybody's, by seat
 * @property {string[]} [bazaar_tiles]  and what is left of the bazaar, in the order of drawing
 *
 * @typedef {object} Side
 * @property {number[]} points  index 0 is that seat's own 1-point
 * @property {number} bar
 * @property {number} off
 * @property {number} pips
 *
 * @typedef {{to: number, dice: number[], kills: number[]}} Reach
 *
 * @typedef {object} DeadDie
 * @property {number} die
 * @property {string} code
 * @property {string} rule
 * @property {Record<string, string | number>} values
 *
 * @typedef {object} NardiHandEnd
 * @property {number} hand
 * @property {"oini" | "marsi" | "koksi"} end
 * @property {number} winner
 * @property {number} points
 * @property {number[]} score
 * @property {Side[]} sides  as that hand left it
 *
 * @typedef {object} LastTurn
 * @property {number} seat
 * @property {number[]} dice
 * @property {[number, number, boolean][]} moves  source, target, kill
 * @property {string} text
 *
 * @typedef {object} NardiView
 * @property {number} hand
 * @property {number} target
 * @property {number[]} score
 * @property {number | null} seat
 * @property {number | null} turn
 * @property {"roll" | "move" | "confirm" | "over"} phase
 * @property {number[]} dice
 * @property {number[]} dice_left
 * @property {number[][]} opening
 * @property {Side[]} sides
 * @property {LastTurn | null} last_turn
 * @property {[number, number, number, boolean][]} steps  source, target, die, kill
 * @property {NardiHandEnd | null} last_hand
 * @property {Outcome | null} outcome
 * @property {Json[]} [legal]
 * @property {Record<string, Reach[]>} [reach]
 * @property {Record<string, number>} [press]
 * @property {DeadDie[]} [dead]
 * @property {boolean} [can_take_back]
 * @property {boolean} [can_confirm]
 *
 * @typedef {object} Frame  a moment of a match that is over
 * @property {number} hand  from 1
 * @property {number} n     the line of the record's hand, from 1; 0 before the first
 * @property {number | null} seat
 * @property {string | null} line
 * @property {boolean} auto  time was out, the server played it
 * @property {TableEvent[]} events
 * @property {any} view     the game's own: DominoView or NardiView
 * @property {number[]} score
 */

export {};
