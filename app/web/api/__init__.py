"""The JSON API: what pages show, for programs. Read only, and described by itself."""
