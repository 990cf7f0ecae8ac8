# One image for the site, its migrations and its operator's commands.

FROM python:3.12-slim-bookworm AS built
WORKDIR /ezo
COPY requirements.lock requirements-strong.lock ./
# Wheels only, each of the hash that is locked: nothing is compiled, nothing else gets in.
RUN python -m venv /opt/ezo \
    && /opt/ezo/bin/pip install --no-cache-dir --no-compile --disable-pip-version-check \
        --require-hashes --only-binary :all: --requirement requirements.lock
# The strong nardi player, where there are wheels of it; any other failure is one.
RUN /opt/ezo/bin/pip install --no-cache-dir --no-compile --disable-pip-version-check \
        --require-hashes --only-binary :all: --requirement requirements-strong.lock \
        >/tmp/strong 2>&1 \
    || { cat /tmp/strong && grep -q 'No matching distribution found' /tmp/strong; } \
    && /opt/ezo/bin/pip uninstall --yes --quiet pip
COPY engine engine
COPY app app
COPY migrations migrations
COPY templates templates
COPY static static
# The last stage may be read-only.
RUN /opt/ezo/bin/python -m compileall -q /opt/ezo/lib engine app migrations

FROM python:3.12-slim-bookworm
RUN groupadd --gid 10001 ezo && useradd --uid 10001 --gid ezo --no-create-home ezo
COPY --from=built /opt/ezo /opt/ezo
COPY --from=built /ezo /ezo
WORKDIR /ezo
ENV PATH=/opt/ezo/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    EZO_HOST=0.0.0.0 \
    EZO_PORT=8000
USER ezo
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "app"]
