#!/bin/sh
# Makes the users of ../users.sql with the passwords of the environment, and the one that HAProxy asks with.
set -e
{
  sed -e "s/\[migrate password\]/$MIGRATE_PASSWORD/" -e "s/\[publish password\]/$PUBLISH_PASSWORD/" \
    -e "s/\[serve password\]/$SERVE_PASSWORD/" "${USERS:-/cluster/users.sql}"
  echo "CREATE USER IF NOT EXISTS haproxy@'%';"
} | mariadb --host="${HOST:-node1}" --port="${PORT:-3306}" --protocol=tcp --user=root
