/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;
DROP TABLE IF EXISTS `editions`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `editions` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT COMMENT 'rises with every publish',
  `key` varchar(36) NOT NULL COMMENT 'UUID: names the edition beyond this database',
  `status` varchar(9) NOT NULL COMMENT 'writing or published',
  `published_at` varchar(24) DEFAULT NULL COMMENT 'ISO 8601, UTC; null while it is being written',
  `persons` int(10) unsigned NOT NULL DEFAULT 0,
  `subjects` int(10) unsigned NOT NULL DEFAULT 0,
  `locations` int(10) unsigned NOT NULL DEFAULT 0,
  `events` int(10) unsigned NOT NULL DEFAULT 0,
  `archive` longtext DEFAULT NULL COMMENT 'the bundle''s archive.json',
  PRIMARY KEY (`id`),
  UNIQUE KEY `editions_key_unique` (`key`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `editions` WRITE;
/*!40000 ALTER TABLE `editions` DISABLE KEYS */;
INSERT INTO `editions` VALUES
(1,'3df07946-666e-4f78-aa77-dd72d5b815bb','published','2026-11-21T20:21:23.846Z',2,2,1,2,'{\"title\":{\"nl\":\"Klein archief\",\"en\":\"Small archive\"}}'),
(2,'25da9ae9-bc49-45a6-8cde-f109d000079d','published','2026-11-21T20:21:26.256Z',2,2,1,2,'{\"title\":{\"nl\":\"Klein archief\",\"en\":\"Small archive\"}}');
/*!40000 ALTER TABLE `editions` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `knex_migrations`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `knex_migrations` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(255) DEFAULT NULL,
  `batch` int(11) DEFAULT NULL,
  `migration_time` timestamp NULL DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `knex_migrations` WRITE;
/*!40000 ALTER TABLE `knex_migrations` DISABLE KEYS */;
INSERT INTO `knex_migrations` VALUES
(1,'0001-editions',1,'2026-11-21 20:21:23');
/*!40000 ALTER TABLE `knex_migrations` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `knex_migrations_lock`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `knex_migrations_lock` (
  `index` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `is_locked` int(11) DEFAULT NULL,
  PRIMARY KEY (`index`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `knex_migrations_lock` WRITE;
/*!40000 ALTER TABLE `knex_migrations_lock` DISABLE KEYS */;
INSERT INTO `knex_migrations_lock` VALUES
(2,0);
/*!40000 ALTER TABLE `knex_migrations_lock` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `links`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `links` (
  `edition` int(10) unsigned NOT NULL,
  `source_form` varchar(17) NOT NULL,
  `source` int(10) unsigned NOT NULL COMMENT 'position of the record that embeds',
  `target_form` varchar(17) NOT NULL,
  `ordinal` int(10) unsigned NOT NULL COMMENT 'place in the array',
  `target` int(10) unsigned NOT NULL COMMENT 'position of the record that is embedded',
  PRIMARY KEY (`edition`,`source_form`,`source`,`target_form`,`ordinal`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `links` WRITE;
/*!40000 ALTER TABLE `links` DISABLE KEYS */;
INSERT INTO `links` VALUES
(1,'event',1,'location',0,1),
(1,'event',1,'person',0,1),
(1,'event',2,'location',0,1),
(1,'event',2,'person',0,1),
(1,'location',1,'abbreviated_event',0,1),
(1,'location',1,'abbreviated_event',1,2),
(1,'location',1,'subject',0,1),
(2,'event',1,'location',0,1),
(2,'event',1,'person',0,1),
(2,'event',2,'location',0,1),
(2,'event',2,'person',0,1),
(2,'location',1,'abbreviated_event',0,1),
(2,'location',1,'abbreviated_event',1,2),
(2,'location',1,'subject',0,1);
/*!40000 ALTER TABLE `links` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `records`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `records` (
  `edition` int(10) unsigned NOT NULL,
  `kind` varchar(8) NOT NULL,
  `position` int(10) unsigned NOT NULL COMMENT 'dense rank in the list of its kind, by id',
  `id` bigint(20) unsigned NOT NULL,
  `uuid` varchar(36) NOT NULL,
  `digest` varchar(22) NOT NULL COMMENT 'differs where what the record says of itself differs',
  PRIMARY KEY (`edition`,`kind`,`position`),
  UNIQUE KEY `records_edition_kind_uuid_unique` (`edition`,`kind`,`uuid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `records` WRITE;
/*!40000 ALTER TABLE `records` DISABLE KEYS */;
INSERT INTO `records` VALUES
(1,'event',1,1,'40000000-abcd-4000-8000-000000000001','qfnK961GT2PLEzTxnx4bX4'),
(1,'event',2,2,'40000000-abcd-4000-8000-000000000002','SEVEoMSFyLigNsOrU5YLnb'),
(1,'location',1,1,'30000000-abcd-4000-8000-000000000001','BZssOBCko2n0HXX2Qw-Jgv'),
(1,'person',1,1,'10000000-abcd-4000-8000-000000000001','aatswQIuJ2Cl0Y7WrlmsTb'),
(1,'person',2,2,'10000000-abcd-4000-8000-000000000002','TmbrzYQ-xVkXwhhgZPKjGL'),
(1,'subject',1,1,'20000000-abcd-4000-8000-000000000001','BzWIFMjCMGf38DeYfuzgme'),
(1,'subject',2,2,'20000000-abcd-4000-8000-000000000002','5Tl0c4-OQnj3v_o-uWudCP'),
(2,'event',1,1,'40000000-abcd-4000-8000-000000000001','qfnK961GT2PLEzTxnx4bX4'),
(2,'event',2,2,'40000000-abcd-4000-8000-000000000002','u1zxxBnUSWDOkDPqfiwo9k'),
(2,'location',1,1,'30000000-abcd-4000-8000-000000000001','BZssOBCko2n0HXX2Qw-Jgv'),
(2,'person',1,1,'10000000-abcd-4000-8000-000000000001','aatswQIuJ2Cl0Y7WrlmsTb'),
(2,'person',2,2,'10000000-abcd-4000-8000-000000000002','TmbrzYQ-xVkXwhhgZPKjGL'),
(2,'subject',1,1,'20000000-abcd-4000-8000-000000000001','BzWIFMjCMGf38DeYfuzgme'),
(2,'subject',2,2,'20000000-abcd-4000-8000-000000000002','5Tl0c4-OQnj3v_o-uWudCP');
/*!40000 ALTER TABLE `records` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `served`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `served` (
  `slot` int(11) NOT NULL COMMENT 'always 1: one row',
  `edition` int(10) unsigned NOT NULL COMMENT 'the edition that is served',
  PRIMARY KEY (`slot`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `served` WRITE;
/*!40000 ALTER TABLE `served` DISABLE KEYS */;
INSERT INTO `served` VALUES
(1,2);
/*!40000 ALTER TABLE `served` ENABLE KEYS */;
UNLOCK TABLES;
DROP TABLE IF EXISTS `texts`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `texts` (
  `edition` int(10) unsigned NOT NULL,
  `language` varchar(2) NOT NULL,
  `form` varchar(17) NOT NULL COMMENT 'a kind, or abbreviated_event',
  `position` int(10) unsigned NOT NULL,
  `text` longtext NOT NULL COMMENT 'rendered record',
  PRIMARY KEY (`edition`,`language`,`form`,`position`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `texts` WRITE;
/*!40000 ALTER TABLE `texts` DISABLE KEYS */;
INSERT INTO `texts` VALUES
(1,'en','abbreviated_event',1,'{\"id\":1,\"main_image\":null,\"url\":\"/en/gebeurtenissen/40000000-abcd-4000-8000-000000000001/\",\"subjects\":[\"/en/api/subjects/20000000-abcd-4000-8000-000000000001\"],\"persons\":[\"/en/api/persons/10000000-abcd-4000-8000-000000000001\"],\"location\":\"/en/api/locations/30000000-abcd-4000-8000-000000000001\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000001\",\"name\":\"Purchase of the house\",\"name_nl\":\"Koop van het huis\",\"name_en\":\"Purchase of the house\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"date\":\"1639-01-05\",\"date_start\":null,\"date_end\":null,\"same_as\":null,\"files\":[]}'),
(1,'en','abbreviated_event',2,'{\"id\":2,\"main_image\":null,\"url\":\"/en/gebeurtenissen/40000000-abcd-4000-8000-000000000002/\",\"subjects\":[],\"persons\":[\"/en/api/persons/10000000-abcd-4000-8000-000000000001\"],\"location\":\"/en/api/locations/30000000-abcd-4000-8000-000000000001\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000002\",\"name\":\"Bankruptcy\",\"name_nl\":\"Bankroet\",\"name_en\":\"Bankruptcy\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"date\":\"1656-07-14\",\"date_start\":null,\"date_end\":null,\"same_as\":null,\"files\":[]}'),
(1,'en','event',1,'{\"id\":1,\"main_image\":null,\"files\":[],\"persons\":[person],\"location\":location,\"url\":\"/en/gebeurtenissen/40000000-abcd-4000-8000-000000000001/\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000001\",\"name\":\"Purchase of the house\",\"name_nl\":\"Koop van het huis\",\"name_en\":\"Purchase of the house\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"date\":\"1639-01-05\",\"date_start\":null,\"date_end\":null,\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null}'),
(1,'en','event',2,'{\"id\":2,\"main_image\":null,\"files\":[],\"persons\":[person],\"location\":location,\"url\":\"/en/gebeurtenissen/40000000-abcd-4000-8000-000000000002/\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000002\",\"name\":\"Bankruptcy\",\"name_nl\":\"Bankroet\",\"name_en\":\"Bankruptcy\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"date\":\"1656-07-14\",\"date_start\":null,\"date_end\":null,\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null}'),
(1,'en','location',1,'{\"id\":1,\"files\":[],\"main_image\":null,\"latitude\":\"52.369395\",\"longitude\":\"4.901360\",\"events\":[abbreviated_event],\"subjects\":[subject],\"related_locations\":[],\"url\":\"/en/locaties/30000000-abcd-4000-8000-000000000001/\",\"published\":true,\"name\":\"Rembrandt House\",\"name_nl\":\"Het Rembrandthuis\",\"name_en\":\"Rembrandt House\",\"uuid\":\"30000000-abcd-4000-8000-000000000001\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"position\":\"SRID=4326;POINT (4.901360 52.369395)\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"street\":\"Jodenbreestraat 4\",\"zipcode\":\"\",\"city\":\"Amsterdam\",\"state\":\"\",\"land\":\"Nederland\",\"location_events\":[1,2]}'),
(1,'en','person',1,'{\"id\":1,\"image\":null,\"pictures\":[],\"url\":\"/en/personen/10000000-abcd-4000-8000-000000000001/\",\"subjects\":[\"/en/api/subjects/20000000-abcd-4000-8000-000000000001\",\"/en/api/subjects/20000000-abcd-4000-8000-000000000002\"],\"published\":true,\"uuid\":\"10000000-abcd-4000-8000-000000000001\",\"first_name\":\"Rembrandt\",\"last_name\":\"Rijn\",\"infix\":\"van\",\"title\":\"Rembrandt van Rijn\",\"title_nl\":\"Rembrandt van Rijn\",\"title_en\":null,\"content\":\"<p>Schilder te Leiden &amp; Amsterdam. \\\"Nachtwacht\\\" 🎨</p>\",\"content_nl\":\"<p>Schilder te Leiden &amp; Amsterdam. \\\"Nachtwacht\\\" 🎨</p>\",\"content_en\":\"\",\"birth_date\":\"1606-07-15\",\"death_date\":\"1669-10-04\",\"gender\":\"male\",\"birth_place\":\"\",\"birth_country\":\"\",\"death_place\":\"\",\"death_country\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"files\":[]}'),
(1,'en','person',2,'{\"id\":2,\"image\":null,\"pictures\":[],\"url\":\"/en/personen/10000000-abcd-4000-8000-000000000002/\",\"subjects\":[],\"published\":true,\"uuid\":\"10000000-abcd-4000-8000-000000000002\",\"first_name\":\"Judith\",\"last_name\":\"Leyster\",\"infix\":\"\",\"title\":\"Judith Leyster\",\"title_nl\":\"Judith Leyster\",\"title_en\":\"Judith Leyster\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"birth_date\":null,\"death_date\":null,\"gender\":\"female\",\"birth_place\":\"\",\"birth_country\":\"\",\"death_place\":\"\",\"death_country\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"files\":[]}'),
(1,'en','subject',1,'{\"id\":1,\"image\":null,\"url\":\"/en/onderwerpen/20000000-abcd-4000-8000-000000000001/\",\"published\":true,\"uuid\":\"20000000-abcd-4000-8000-000000000001\",\"name\":\"Painting\",\"name_nl\":\"Schilderkunst\",\"name_en\":\"Painting\",\"description\":\"<p>De kunst van het schilderen.</p>\",\"description_nl\":\"<p>De kunst van het schilderen.</p>\",\"description_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"parent\":null,\"files\":[]}'),
(1,'en','subject',2,'{\"id\":2,\"image\":null,\"url\":\"/en/onderwerpen/20000000-abcd-4000-8000-000000000002/\",\"published\":true,\"uuid\":\"20000000-abcd-4000-8000-000000000002\",\"name\":\"Portretten\",\"name_nl\":\"Portretten\",\"name_en\":\"\",\"description\":\"\",\"description_nl\":\"\",\"description_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"parent\":1,\"files\":[]}'),
(1,'nl','abbreviated_event',1,'{\"id\":1,\"main_image\":null,\"url\":\"/nl/gebeurtenissen/40000000-abcd-4000-8000-000000000001/\",\"subjects\":[\"/nl/api/subjects/20000000-abcd-4000-8000-000000000001\"],\"persons\":[\"/nl/api/persons/10000000-abcd-4000-8000-000000000001\"],\"location\":\"/nl/api/locations/30000000-abcd-4000-8000-000000000001\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000001\",\"name\":\"Koop van het huis\",\"name_nl\":\"Koop van het huis\",\"name_en\":\"Purchase of the house\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"date\":\"1639-01-05\",\"date_start\":null,\"date_end\":null,\"same_as\":null,\"files\":[]}'),
(1,'nl','abbreviated_event',2,'{\"id\":2,\"main_image\":null,\"url\":\"/nl/gebeurtenissen/40000000-abcd-4000-8000-000000000002/\",\"subjects\":[],\"persons\":[\"/nl/api/persons/10000000-abcd-4000-8000-000000000001\"],\"location\":\"/nl/api/locations/30000000-abcd-4000-8000-000000000001\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000002\",\"name\":\"Bankroet\",\"name_nl\":\"Bankroet\",\"name_en\":\"Bankruptcy\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"date\":\"1656-07-14\",\"date_start\":null,\"date_end\":null,\"same_as\":null,\"files\":[]}'),
(1,'nl','event',1,'{\"id\":1,\"main_image\":null,\"files\":[],\"persons\":[person],\"location\":location,\"url\":\"/nl/gebeurtenissen/40000000-abcd-4000-8000-000000000001/\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000001\",\"name\":\"Koop van het huis\",\"name_nl\":\"Koop van het huis\",\"name_en\":\"Purchase of the house\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"date\":\"1639-01-05\",\"date_start\":null,\"date_end\":null,\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null}'),
(1,'nl','event',2,'{\"id\":2,\"main_image\":null,\"files\":[],\"persons\":[person],\"location\":location,\"url\":\"/nl/gebeurtenissen/40000000-abcd-4000-8000-000000000002/\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000002\",\"name\":\"Bankroet\",\"name_nl\":\"Bankroet\",\"name_en\":\"Bankruptcy\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"date\":\"1656-07-14\",\"date_start\":null,\"date_end\":null,\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null}'),
(1,'nl','location',1,'{\"id\":1,\"files\":[],\"main_image\":null,\"latitude\":\"52.369395\",\"longitude\":\"4.901360\",\"events\":[abbreviated_event],\"subjects\":[subject],\"related_locations\":[],\"url\":\"/nl/locaties/30000000-abcd-4000-8000-000000000001/\",\"published\":true,\"name\":\"Het Rembrandthuis\",\"name_nl\":\"Het Rembrandthuis\",\"name_en\":\"Rembrandt House\",\"uuid\":\"30000000-abcd-4000-8000-000000000001\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"position\":\"SRID=4326;POINT (4.901360 52.369395)\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"street\":\"Jodenbreestraat 4\",\"zipcode\":\"\",\"city\":\"Amsterdam\",\"state\":\"\",\"land\":\"Nederland\",\"location_events\":[1,2]}'),
(1,'nl','person',1,'{\"id\":1,\"image\":null,\"pictures\":[],\"url\":\"/nl/personen/10000000-abcd-4000-8000-000000000001/\",\"subjects\":[\"/nl/api/subjects/20000000-abcd-4000-8000-000000000001\",\"/nl/api/subjects/20000000-abcd-4000-8000-000000000002\"],\"published\":true,\"uuid\":\"10000000-abcd-4000-8000-000000000001\",\"first_name\":\"Rembrandt\",\"last_name\":\"Rijn\",\"infix\":\"van\",\"title\":\"Rembrandt van Rijn\",\"title_nl\":\"Rembrandt van Rijn\",\"title_en\":null,\"content\":\"<p>Schilder te Leiden &amp; Amsterdam. \\\"Nachtwacht\\\" 🎨</p>\",\"content_nl\":\"<p>Schilder te Leiden &amp; Amsterdam. \\\"Nachtwacht\\\" 🎨</p>\",\"content_en\":\"\",\"birth_date\":\"1606-07-15\",\"death_date\":\"1669-10-04\",\"gender\":\"male\",\"birth_place\":\"\",\"birth_country\":\"\",\"death_place\":\"\",\"death_country\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"files\":[]}'),
(1,'nl','person',2,'{\"id\":2,\"image\":null,\"pictures\":[],\"url\":\"/nl/personen/10000000-abcd-4000-8000-000000000002/\",\"subjects\":[],\"published\":true,\"uuid\":\"10000000-abcd-4000-8000-000000000002\",\"first_name\":\"Judith\",\"last_name\":\"Leyster\",\"infix\":\"\",\"title\":\"Judith Leyster\",\"title_nl\":\"Judith Leyster\",\"title_en\":\"Judith Leyster\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"birth_date\":null,\"death_date\":null,\"gender\":\"female\",\"birth_place\":\"\",\"birth_country\":\"\",\"death_place\":\"\",\"death_country\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"files\":[]}'),
(1,'nl','subject',1,'{\"id\":1,\"image\":null,\"url\":\"/nl/onderwerpen/20000000-abcd-4000-8000-000000000001/\",\"published\":true,\"uuid\":\"20000000-abcd-4000-8000-000000000001\",\"name\":\"Schilderkunst\",\"name_nl\":\"Schilderkunst\",\"name_en\":\"Painting\",\"description\":\"<p>De kunst van het schilderen.</p>\",\"description_nl\":\"<p>De kunst van het schilderen.</p>\",\"description_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"parent\":null,\"files\":[]}'),
(1,'nl','subject',2,'{\"id\":2,\"image\":null,\"url\":\"/nl/onderwerpen/20000000-abcd-4000-8000-000000000002/\",\"published\":true,\"uuid\":\"20000000-abcd-4000-8000-000000000002\",\"name\":\"Portretten\",\"name_nl\":\"Portretten\",\"name_en\":\"\",\"description\":\"\",\"description_nl\":\"\",\"description_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"parent\":1,\"files\":[]}'),
(2,'en','abbreviated_event',1,'{\"id\":1,\"main_image\":null,\"url\":\"/en/gebeurtenissen/40000000-abcd-4000-8000-000000000001/\",\"subjects\":[\"/en/api/subjects/20000000-abcd-4000-8000-000000000001\"],\"persons\":[\"/en/api/persons/10000000-abcd-4000-8000-000000000001\"],\"location\":\"/en/api/locations/30000000-abcd-4000-8000-000000000001\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000001\",\"name\":\"Purchase of the house\",\"name_nl\":\"Koop van het huis\",\"name_en\":\"Purchase of the house\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"date\":\"1639-01-05\",\"date_start\":null,\"date_end\":null,\"same_as\":null,\"files\":[]}'),
(2,'en','abbreviated_event',2,'{\"id\":2,\"main_image\":null,\"url\":\"/en/gebeurtenissen/40000000-abcd-4000-8000-000000000002/\",\"subjects\":[],\"persons\":[\"/en/api/persons/10000000-abcd-4000-8000-000000000001\"],\"location\":\"/en/api/locations/30000000-abcd-4000-8000-000000000001\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000002\",\"name\":\"Bankruptcy\",\"name_nl\":\"Faillissement\",\"name_en\":\"Bankruptcy\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"date\":\"1656-07-14\",\"date_start\":null,\"date_end\":null,\"same_as\":null,\"files\":[]}'),
(2,'en','event',1,'{\"id\":1,\"main_image\":null,\"files\":[],\"persons\":[person],\"location\":location,\"url\":\"/en/gebeurtenissen/40000000-abcd-4000-8000-000000000001/\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000001\",\"name\":\"Purchase of the house\",\"name_nl\":\"Koop van het huis\",\"name_en\":\"Purchase of the house\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"date\":\"1639-01-05\",\"date_start\":null,\"date_end\":null,\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null}'),
(2,'en','event',2,'{\"id\":2,\"main_image\":null,\"files\":[],\"persons\":[person],\"location\":location,\"url\":\"/en/gebeurtenissen/40000000-abcd-4000-8000-000000000002/\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000002\",\"name\":\"Bankruptcy\",\"name_nl\":\"Faillissement\",\"name_en\":\"Bankruptcy\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"date\":\"1656-07-14\",\"date_start\":null,\"date_end\":null,\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null}'),
(2,'en','location',1,'{\"id\":1,\"files\":[],\"main_image\":null,\"latitude\":\"52.369395\",\"longitude\":\"4.901360\",\"events\":[abbreviated_event],\"subjects\":[subject],\"related_locations\":[],\"url\":\"/en/locaties/30000000-abcd-4000-8000-000000000001/\",\"published\":true,\"name\":\"Rembrandt House\",\"name_nl\":\"Het Rembrandthuis\",\"name_en\":\"Rembrandt House\",\"uuid\":\"30000000-abcd-4000-8000-000000000001\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"position\":\"SRID=4326;POINT (4.901360 52.369395)\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"street\":\"Jodenbreestraat 4\",\"zipcode\":\"\",\"city\":\"Amsterdam\",\"state\":\"\",\"land\":\"Nederland\",\"location_events\":[1,2]}'),
(2,'en','person',1,'{\"id\":1,\"image\":null,\"pictures\":[],\"url\":\"/en/personen/10000000-abcd-4000-8000-000000000001/\",\"subjects\":[\"/en/api/subjects/20000000-abcd-4000-8000-000000000001\",\"/en/api/subjects/20000000-abcd-4000-8000-000000000002\"],\"published\":true,\"uuid\":\"10000000-abcd-4000-8000-000000000001\",\"first_name\":\"Rembrandt\",\"last_name\":\"Rijn\",\"infix\":\"van\",\"title\":\"Rembrandt van Rijn\",\"title_nl\":\"Rembrandt van Rijn\",\"title_en\":null,\"content\":\"<p>Schilder te Leiden &amp; Amsterdam. \\\"Nachtwacht\\\" 🎨</p>\",\"content_nl\":\"<p>Schilder te Leiden &amp; Amsterdam. \\\"Nachtwacht\\\" 🎨</p>\",\"content_en\":\"\",\"birth_date\":\"1606-07-15\",\"death_date\":\"1669-10-04\",\"gender\":\"male\",\"birth_place\":\"\",\"birth_country\":\"\",\"death_place\":\"\",\"death_country\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"files\":[]}'),
(2,'en','person',2,'{\"id\":2,\"image\":null,\"pictures\":[],\"url\":\"/en/personen/10000000-abcd-4000-8000-000000000002/\",\"subjects\":[],\"published\":true,\"uuid\":\"10000000-abcd-4000-8000-000000000002\",\"first_name\":\"Judith\",\"last_name\":\"Leyster\",\"infix\":\"\",\"title\":\"Judith Leyster\",\"title_nl\":\"Judith Leyster\",\"title_en\":\"Judith Leyster\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"birth_date\":null,\"death_date\":null,\"gender\":\"female\",\"birth_place\":\"\",\"birth_country\":\"\",\"death_place\":\"\",\"death_country\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"files\":[]}'),
(2,'en','subject',1,'{\"id\":1,\"image\":null,\"url\":\"/en/onderwerpen/20000000-abcd-4000-8000-000000000001/\",\"published\":true,\"uuid\":\"20000000-abcd-4000-8000-000000000001\",\"name\":\"Painting\",\"name_nl\":\"Schilderkunst\",\"name_en\":\"Painting\",\"description\":\"<p>De kunst van het schilderen.</p>\",\"description_nl\":\"<p>De kunst van het schilderen.</p>\",\"description_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"parent\":null,\"files\":[]}'),
(2,'en','subject',2,'{\"id\":2,\"image\":null,\"url\":\"/en/onderwerpen/20000000-abcd-4000-8000-000000000002/\",\"published\":true,\"uuid\":\"20000000-abcd-4000-8000-000000000002\",\"name\":\"Portretten\",\"name_nl\":\"Portretten\",\"name_en\":\"\",\"description\":\"\",\"description_nl\":\"\",\"description_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"parent\":1,\"files\":[]}'),
(2,'nl','abbreviated_event',1,'{\"id\":1,\"main_image\":null,\"url\":\"/nl/gebeurtenissen/40000000-abcd-4000-8000-000000000001/\",\"subjects\":[\"/nl/api/subjects/20000000-abcd-4000-8000-000000000001\"],\"persons\":[\"/nl/api/persons/10000000-abcd-4000-8000-000000000001\"],\"location\":\"/nl/api/locations/30000000-abcd-4000-8000-000000000001\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000001\",\"name\":\"Koop van het huis\",\"name_nl\":\"Koop van het huis\",\"name_en\":\"Purchase of the house\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"date\":\"1639-01-05\",\"date_start\":null,\"date_end\":null,\"same_as\":null,\"files\":[]}'),
(2,'nl','abbreviated_event',2,'{\"id\":2,\"main_image\":null,\"url\":\"/nl/gebeurtenissen/40000000-abcd-4000-8000-000000000002/\",\"subjects\":[],\"persons\":[\"/nl/api/persons/10000000-abcd-4000-8000-000000000001\"],\"location\":\"/nl/api/locations/30000000-abcd-4000-8000-000000000001\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000002\",\"name\":\"Faillissement\",\"name_nl\":\"Faillissement\",\"name_en\":\"Bankruptcy\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"date\":\"1656-07-14\",\"date_start\":null,\"date_end\":null,\"same_as\":null,\"files\":[]}'),
(2,'nl','event',1,'{\"id\":1,\"main_image\":null,\"files\":[],\"persons\":[person],\"location\":location,\"url\":\"/nl/gebeurtenissen/40000000-abcd-4000-8000-000000000001/\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000001\",\"name\":\"Koop van het huis\",\"name_nl\":\"Koop van het huis\",\"name_en\":\"Purchase of the house\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"date\":\"1639-01-05\",\"date_start\":null,\"date_end\":null,\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null}'),
(2,'nl','event',2,'{\"id\":2,\"main_image\":null,\"files\":[],\"persons\":[person],\"location\":location,\"url\":\"/nl/gebeurtenissen/40000000-abcd-4000-8000-000000000002/\",\"published\":true,\"uuid\":\"40000000-abcd-4000-8000-000000000002\",\"name\":\"Faillissement\",\"name_nl\":\"Faillissement\",\"name_en\":\"Bankruptcy\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"date\":\"1656-07-14\",\"date_start\":null,\"date_end\":null,\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null}'),
(2,'nl','location',1,'{\"id\":1,\"files\":[],\"main_image\":null,\"latitude\":\"52.369395\",\"longitude\":\"4.901360\",\"events\":[abbreviated_event],\"subjects\":[subject],\"related_locations\":[],\"url\":\"/nl/locaties/30000000-abcd-4000-8000-000000000001/\",\"published\":true,\"name\":\"Het Rembrandthuis\",\"name_nl\":\"Het Rembrandthuis\",\"name_en\":\"Rembrandt House\",\"uuid\":\"30000000-abcd-4000-8000-000000000001\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"position\":\"SRID=4326;POINT (4.901360 52.369395)\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"street\":\"Jodenbreestraat 4\",\"zipcode\":\"\",\"city\":\"Amsterdam\",\"state\":\"\",\"land\":\"Nederland\",\"location_events\":[1,2]}'),
(2,'nl','person',1,'{\"id\":1,\"image\":null,\"pictures\":[],\"url\":\"/nl/personen/10000000-abcd-4000-8000-000000000001/\",\"subjects\":[\"/nl/api/subjects/20000000-abcd-4000-8000-000000000001\",\"/nl/api/subjects/20000000-abcd-4000-8000-000000000002\"],\"published\":true,\"uuid\":\"10000000-abcd-4000-8000-000000000001\",\"first_name\":\"Rembrandt\",\"last_name\":\"Rijn\",\"infix\":\"van\",\"title\":\"Rembrandt van Rijn\",\"title_nl\":\"Rembrandt van Rijn\",\"title_en\":null,\"content\":\"<p>Schilder te Leiden &amp; Amsterdam. \\\"Nachtwacht\\\" 🎨</p>\",\"content_nl\":\"<p>Schilder te Leiden &amp; Amsterdam. \\\"Nachtwacht\\\" 🎨</p>\",\"content_en\":\"\",\"birth_date\":\"1606-07-15\",\"death_date\":\"1669-10-04\",\"gender\":\"male\",\"birth_place\":\"\",\"birth_country\":\"\",\"death_place\":\"\",\"death_country\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"files\":[]}'),
(2,'nl','person',2,'{\"id\":2,\"image\":null,\"pictures\":[],\"url\":\"/nl/personen/10000000-abcd-4000-8000-000000000002/\",\"subjects\":[],\"published\":true,\"uuid\":\"10000000-abcd-4000-8000-000000000002\",\"first_name\":\"Judith\",\"last_name\":\"Leyster\",\"infix\":\"\",\"title\":\"Judith Leyster\",\"title_nl\":\"Judith Leyster\",\"title_en\":\"Judith Leyster\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"birth_date\":null,\"death_date\":null,\"gender\":\"female\",\"birth_place\":\"\",\"birth_country\":\"\",\"death_place\":\"\",\"death_country\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"files\":[]}'),
(2,'nl','subject',1,'{\"id\":1,\"image\":null,\"url\":\"/nl/onderwerpen/20000000-abcd-4000-8000-000000000001/\",\"published\":true,\"uuid\":\"20000000-abcd-4000-8000-000000000001\",\"name\":\"Schilderkunst\",\"name_nl\":\"Schilderkunst\",\"name_en\":\"Painting\",\"description\":\"<p>De kunst van het schilderen.</p>\",\"description_nl\":\"<p>De kunst van het schilderen.</p>\",\"description_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"parent\":null,\"files\":[]}'),
(2,'nl','subject',2,'{\"id\":2,\"image\":null,\"url\":\"/nl/onderwerpen/20000000-abcd-4000-8000-000000000002/\",\"published\":true,\"uuid\":\"20000000-abcd-4000-8000-000000000002\",\"name\":\"Portretten\",\"name_nl\":\"Portretten\",\"name_en\":\"\",\"description\":\"\",\"description_nl\":\"\",\"description_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"parent\":1,\"files\":[]}');
/*!40000 ALTER TABLE `texts` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

