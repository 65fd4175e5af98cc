#!/usr/bin/env bash
# A cluster of three on one machine, for trials and tests: three MariaDB nodes with Galera, three servers, each reading
# its own node, and HAProxy before both. Needs Debian's mariadb-server, galera-4, rsync and haproxy. Listens on the
# loopback address, on ports from CLUSTER_PORT (13380); users have no passwords. Not for an archive's only copy.
#
# usage: on-one-machine.sh up FOLDER        starts everything, with the data in FOLDER
#        on-one-machine.sh node FOLDER N    starts node N, and waits until it is in sync
#        on-one-machine.sh server FOLDER N  starts server N
#        on-one-machine.sh address FOLDER   prints the URL of the archive, and how to publish
#        on-one-machine.sh down FOLDER      stops everything
set -euo pipefail
PATH="$PATH:/usr/sbin:/usr/local/sbin"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
api="$here/../../apps/api/bin/archive-api.js"

command=${1:?"expected a command: up, node, server, address or down"}
folder=${2:?"expected a folder"}
first=${CLUSTER_PORT:-13380}
user=$(id -un)
[ "$user" = root ] && user=mysql # rsync does not copy for root

node_base() { echo $((first + ($1 - 1) * 5)); }  # Galera: this port and the two after it
node_port() { echo $(($(node_base "$1") + 3)); } # SQL
server_port() { echo $((first + 16 + $1)); }
admin_port() { echo $((first + 19 + $1)); }
database_port=$((first + 15))
public_port=$((first + 16))

# A killed process stays in the list as a zombie (Z) until init reaps it, which may take seconds.
is_running() { [ -s "$folder/$1.pid" ] && [[ $(ps -o stat= -p "$(cat "$folder/$1.pid")") == [!Z]* ]]; }

# Starts a program with its output in NAME.log and its process id in NAME.pid.
start() {
  local name=$1
  shift
  is_running "$name" && return
  setsid "$@" >>"$folder/$name.log" 2>&1 </dev/null &
  echo $! >"$folder/$name.pid"
}

wait_until() {
  local what=$1 name=$2
  shift 2
  local until=$((SECONDS + 60))
  while [ $SECONDS -lt $until ]; do
    if "$@" >"$folder/wait.log" 2>&1; then return; fi
    is_running "$name" || break
    sleep 0.1
  done
  echo "$what: it took too long, or ended. The end of $folder/$name.log, and what was last said:" >&2
  tail -n 20 "$folder/$name.log" >&2
  cat "$folder/wait.log" >&2
  exit 1
}

sql() { mariadb --no-defaults --protocol=tcp -h 127.0.0.1 -P "$(node_port "$1")" -u root -N -B -e "$2"; }
is_synced() { [ "$(sql "$1" "show status like 'wsrep_local_state_comment'" | cut -f2)" = Synced ]; }

start_node() {
  local n=$1 base data="$folder/node$1" more=()
  base=$(node_base "$n")
  if [ ! -d "$data" ]; then
    mkdir -p "$data"
    chmod a+x "$folder"
    [ "$(id -un)" = "$user" ] || chown "$user" "$data"
    # The others copy the data of the first.
    [ "$n" = 1 ] && mariadb-install-db --no-defaults --datadir="$data" --user="$user" \
      --auth-root-authentication-method=normal --skip-test-db >"$folder/install.log" 2>&1
  fi
  [ "${2:-}" = first ] && more=(--wsrep-new-cluster)
  start "node$n" mariadbd --defaults-file="$here/galera.cnf" --datadir="$data" --user="$user" \
    --bind-address=127.0.0.1 --port="$(node_port "$n")" --socket="$data/sql.sock" --skip-name-resolve \
    --innodb-buffer-pool-size="${NODE_MEMORY:-64M}" --innodb-log-file-size=8M \
    --wsrep-cluster-address="gcomm://127.0.0.1:$(node_base 1),127.0.0.1:$(node_base 2),127.0.0.1:$(node_base 3)" \
    --wsrep-node-address="127.0.0.1:$base" --wsrep-node-name="node$n" \
    --wsrep-sst-method=rsync --wsrep-sst-receive-address="127.0.0.1:$((base + 2))" \
    --wsrep-provider-options="base_port=$base;gmcast.listen_addr=tcp://127.0.0.1:$base;ist.recv_addr=127.0.0.1:$((base + 1));gcache.size=${GCACHE:-64M};evs.keepalive_period=PT0.3S;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.inactive_check_period=PT0.5S" \
    "${more[@]}"
  wait_until "node $n" "node$n" is_synced "$n"
}

start_server() {
  local n=$1
  DATABASE_URL="mysql://archive_serve@127.0.0.1:$(node_port "$n")/archive" \
    BASE_URL="http://127.0.0.1:$public_port" PORT="$(server_port "$n")" ADMIN_PORT="$(admin_port "$n")" \
    DERIVED_DIR="$folder/server$n" start "server$n" node "$api" serve
}

start_balancer() {
  local n
  export DATABASE_BIND="127.0.0.1:$database_port" PUBLIC_BIND="127.0.0.1:$public_port"
  for n in 1 2 3; do
    export "NODE$n=127.0.0.1:$(node_port "$n")" "SERVER$n=127.0.0.1:$(server_port "$n")" "ADMIN$n=$(admin_port "$n")"
  done
  start balancer haproxy -db -f "$here/haproxy.cfg"
}

up() {
  mkdir -p "$folder"
  start_node 1 first
  start_node 2
  start_node 3
  MIGRATE_PASSWORD= PUBLISH_PASSWORD= SERVE_PASSWORD= USERS="$here/../users.sql" HOST=127.0.0.1 \
    PORT=$(node_port 1) "$here/make-users.sh"
  start_balancer
  DATABASE_URL="mysql://archive_migrate@127.0.0.1:$database_port/archive" wait_until 'migrate' balancer node "$api" migrate
  for n in 1 2 3; do start_server "$n"; done
  address
}

address() {
  echo "http://127.0.0.1:$public_port"
  echo "DATABASE_URL=mysql://archive_publish@127.0.0.1:$database_port/archive npx archive-api publish <bundle>"
}

down() {
  local name
  # Node 1 stops last, so that it can bootstrap the cluster again.
  for name in balancer server1 server2 server3 node3 node2 node1; do
    is_running "$name" || continue
    kill -CONT "$(cat "$folder/$name.pid")"
    kill "$(cat "$folder/$name.pid")"
    for _ in $(seq 150); do
      is_running "$name" || break
      sleep 0.1
    done
    if is_running "$name"; then kill -KILL "$(cat "$folder/$name.pid")"; fi
    rm -f "$folder/$name.pid"
  done
}

case $command in
  up) up ;;
  node) start_node "${3:?'expected the number of a node'}" ;;
  server) start_server "${3:?'expected the number of a server'}" ;;
  address) address ;;
  down) down ;;
  *) echo "$command: expected up, node, server, address or down" >&2 && exit 2 ;;
esac
