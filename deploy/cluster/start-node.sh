#!/bin/sh
# Starts a node of compose.yaml. The first one bootstraps the cluster the first time only: bootstrapping while the others
# run would split the archive. After a stop of all three, start the one that stopped last with NEW_CLUSTER=1 (its
# grastate.dat says safe_to_bootstrap: 1), once.
set -e
if [ "$NEW_CLUSTER" ] || { [ "$NODE" = node1 ] && [ ! -e /var/lib/mysql/grastate.dat ]; }; then
  set -- --wsrep-new-cluster
fi
# rsync is not in the image; mariabackup is, and reads as root.
exec docker-entrypoint.sh mariadbd \
  --wsrep-cluster-address=gcomm://node1,node2,node3 --wsrep-node-address="$NODE" --wsrep-node-name="$NODE" \
  --wsrep-sst-method=mariabackup --wsrep-sst-auth="root:$MARIADB_ROOT_PASSWORD" \
  --wsrep-provider-options="gcache.size=1G" "$@"
