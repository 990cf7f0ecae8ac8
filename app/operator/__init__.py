"""The operator's command line: ``python -m app.operator``, beside a running site or alone."""
