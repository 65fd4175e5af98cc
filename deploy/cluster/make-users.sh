#!/bin/sh
# Creates the users of ../users.sql with passwords from the environment, and the user of HAProxy's health checks.
set -e
{
  sed -e "s/\[migrate password\]/$MIGRATE_PASSWORD/" -e "s/\[publish password\]/$PUBLISH_PASSWORD/" \
    -e "s/\[serve password\]/$SERVE_PASSWORD/" "${USERS:-/cluster/users.sql}"
  echo "CREATE USER IF NOT EXISTS haproxy@'%';"
} | mariadb --host="${HOST:-node1}" --port="${PORT:-3306}" --protocol=tcp --user=root
