#!/bin/sh
# Contract 10.2: fixes the ownership of the mounted data directory, then drops every privilege for good.
set -eu

data="${SERVICE_DATA_DIR:-/data}"

if [ "$(id -u)" = 0 ]; then
  if [ -L "$data" ]; then
    echo "gatehouse: $data is a symbolic link; mount the data directory itself" >&2
    exit 1
  fi
  if [ -e "$data" ] && [ ! -d "$data" ]; then
    echo "gatehouse: $data cannot be created or entered: it is a file; mount a directory" >&2
    exit 1
  fi
  mkdir -p "$data"
  # Only what is not ours yet, never across a mount, and never through a link.
  find "$data" -xdev \( ! -user gatehouse -o ! -group gatehouse \) -exec chown -h gatehouse:gatehouse {} +
  chmod 0700 "$data"
  exec setpriv --reuid=gatehouse --regid=gatehouse --init-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
    -- /usr/bin/tini -- "$@"
fi
exec setpriv --no-new-privs -- /usr/bin/tini -- "$@"
