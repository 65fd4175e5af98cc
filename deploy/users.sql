-- Creates the database, and a user with minimal rights for each task. Replace the words in brackets by passwords, then
-- run it as an administrator of MySQL or MariaDB: mysql < users.sql
CREATE DATABASE IF NOT EXISTS archive CHARACTER SET utf8mb4;

-- archive-api migrate: creates tables.
CREATE USER IF NOT EXISTS archive_migrate@'%' IDENTIFIED BY '[migrate password]';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX ON archive.* TO archive_migrate@'%';

-- archive-api publish, switch and rollback: write editions and remove them.
CREATE USER IF NOT EXISTS archive_publish@'%' IDENTIFIED BY '[publish password]';
GRANT SELECT, INSERT, UPDATE, DELETE ON archive.* TO archive_publish@'%';

-- archive-api serve, index and editions: read. With MAX_STALE on a replica, serve also needs one of these, to see its state:
-- MariaDB: GRANT REPLICA MONITOR ON *.* TO archive_serve@'%'; MySQL: GRANT REPLICATION CLIENT ON *.* TO archive_serve@'%';
CREATE USER IF NOT EXISTS archive_serve@'%' IDENTIFIED BY '[serve password]';
GRANT SELECT ON archive.* TO archive_serve@'%';
