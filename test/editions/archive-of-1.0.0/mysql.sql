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
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `editions` VALUES (1,'d989ed72-e5b7-49ef-aad7-4701820bcfe9','published','2026-11-21T20:03:45.942Z',1,1,1,1,NULL);
CREATE TABLE `knex_migrations` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(255) DEFAULT NULL,
  `batch` int(11) DEFAULT NULL,
  `migration_time` timestamp NULL DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
INSERT INTO `knex_migrations` VALUES (1,'0001-editions',1,'2026-11-21 20:03:45');
CREATE TABLE `knex_migrations_lock` (
  `index` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `is_locked` int(11) DEFAULT NULL,
  PRIMARY KEY (`index`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
INSERT INTO `knex_migrations_lock` VALUES (1,0);
CREATE TABLE `links` (
  `edition` int(10) unsigned NOT NULL,
  `source_form` varchar(17) NOT NULL,
  `source` int(10) unsigned NOT NULL COMMENT 'position of the record that embeds',
  `target_form` varchar(17) NOT NULL,
  `ordinal` int(10) unsigned NOT NULL COMMENT 'place in the array',
  `target` int(10) unsigned NOT NULL COMMENT 'position of the record that is embedded',
  PRIMARY KEY (`edition`,`source_form`,`source`,`target_form`,`ordinal`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `links` VALUES (1,'event',1,'location',0,1);
INSERT INTO `links` VALUES (1,'event',1,'person',0,1);
INSERT INTO `links` VALUES (1,'location',1,'abbreviated_event',0,1);
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
INSERT INTO `records` VALUES (1,'event',1,4,'00000000-0000-4000-8000-000000000004','-On7GJ2Nu5lJLxvwFHD8so');
INSERT INTO `records` VALUES (1,'location',1,3,'00000000-0000-4000-8000-000000000003','NxqR0iiYq7ghUS8Xf3h99r');
INSERT INTO `records` VALUES (1,'person',1,2,'00000000-0000-4000-8000-000000000002','qEx4cmhwPe6nPlg0Vpe2sN');
INSERT INTO `records` VALUES (1,'subject',1,1,'00000000-0000-4000-8000-000000000001','_MSZ2xHxmG4XzK3OMLkfX3');
CREATE TABLE `served` (
  `slot` int(11) NOT NULL COMMENT 'always 1: one row',
  `edition` int(10) unsigned NOT NULL COMMENT 'the edition that is served',
  PRIMARY KEY (`slot`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `served` VALUES (1,1);
CREATE TABLE `texts` (
  `edition` int(10) unsigned NOT NULL,
  `language` varchar(2) NOT NULL,
  `form` varchar(17) NOT NULL COMMENT 'a kind, or abbreviated_event',
  `position` int(10) unsigned NOT NULL,
  `text` longtext NOT NULL COMMENT 'rendered record',
  PRIMARY KEY (`edition`,`language`,`form`,`position`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO `texts` VALUES (1,'en','abbreviated_event',1,'{\"id\":4,\"main_image\":null,\"url\":\"/en/gebeurtenissen/00000000-0000-4000-8000-000000000004/\",\"subjects\":[\"/en/api/subjects/00000000-0000-4000-8000-000000000001\"],\"persons\":[\"/en/api/persons/00000000-0000-4000-8000-000000000002\"],\"location\":\"/en/api/locations/00000000-0000-4000-8000-000000000003\",\"published\":true,\"uuid\":\"00000000-0000-4000-8000-000000000004\",\"name\":\"Titan gezien\",\"name_nl\":\"Titan gezien\",\"name_en\":\"\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"date\":\"1655-03-25\",\"date_start\":null,\"date_end\":null,\"same_as\":null,\"files\":[]}');
INSERT INTO `texts` VALUES (1,'en','event',1,'{\"id\":4,\"main_image\":null,\"files\":[],\"persons\":[person],\"location\":location,\"url\":\"/en/gebeurtenissen/00000000-0000-4000-8000-000000000004/\",\"published\":true,\"uuid\":\"00000000-0000-4000-8000-000000000004\",\"name\":\"Titan gezien\",\"name_nl\":\"Titan gezien\",\"name_en\":\"\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"date\":\"1655-03-25\",\"date_start\":null,\"date_end\":null,\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null}');
INSERT INTO `texts` VALUES (1,'en','location',1,'{\"id\":3,\"files\":[],\"main_image\":null,\"latitude\":\"\",\"longitude\":\"\",\"events\":[abbreviated_event],\"subjects\":[subject],\"related_locations\":[],\"url\":\"/en/locaties/00000000-0000-4000-8000-000000000003/\",\"published\":true,\"name\":\"Hofwijck\",\"name_nl\":\"Hofwijck\",\"name_en\":\"\",\"uuid\":\"00000000-0000-4000-8000-000000000003\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"position\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"street\":\"\",\"zipcode\":\"\",\"city\":\"Voorburg\",\"state\":\"\",\"land\":\"\",\"location_events\":[4]}');
INSERT INTO `texts` VALUES (1,'en','person',1,'{\"id\":2,\"image\":null,\"pictures\":[],\"url\":\"/en/personen/00000000-0000-4000-8000-000000000002/\",\"subjects\":[\"/en/api/subjects/00000000-0000-4000-8000-000000000001\"],\"published\":true,\"uuid\":\"00000000-0000-4000-8000-000000000002\",\"first_name\":\"\",\"last_name\":\"Huygens\",\"infix\":\"\",\"title\":\"\",\"title_nl\":\"\",\"title_en\":null,\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"birth_date\":null,\"death_date\":null,\"gender\":\"\",\"birth_place\":\"\",\"birth_country\":\"\",\"death_place\":\"\",\"death_country\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"files\":[]}');
INSERT INTO `texts` VALUES (1,'en','subject',1,'{\"id\":1,\"image\":null,\"url\":\"/en/onderwerpen/00000000-0000-4000-8000-000000000001/\",\"published\":true,\"uuid\":\"00000000-0000-4000-8000-000000000001\",\"name\":\"Sterrenkunde\",\"name_nl\":\"Sterrenkunde\",\"name_en\":\"\",\"description\":\"\",\"description_nl\":\"\",\"description_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"parent\":null,\"files\":[]}');
INSERT INTO `texts` VALUES (1,'nl','abbreviated_event',1,'{\"id\":4,\"main_image\":null,\"url\":\"/nl/gebeurtenissen/00000000-0000-4000-8000-000000000004/\",\"subjects\":[\"/nl/api/subjects/00000000-0000-4000-8000-000000000001\"],\"persons\":[\"/nl/api/persons/00000000-0000-4000-8000-000000000002\"],\"location\":\"/nl/api/locations/00000000-0000-4000-8000-000000000003\",\"published\":true,\"uuid\":\"00000000-0000-4000-8000-000000000004\",\"name\":\"Titan gezien\",\"name_nl\":\"Titan gezien\",\"name_en\":\"\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"date\":\"1655-03-25\",\"date_start\":null,\"date_end\":null,\"same_as\":null,\"files\":[]}');
INSERT INTO `texts` VALUES (1,'nl','event',1,'{\"id\":4,\"main_image\":null,\"files\":[],\"persons\":[person],\"location\":location,\"url\":\"/nl/gebeurtenissen/00000000-0000-4000-8000-000000000004/\",\"published\":true,\"uuid\":\"00000000-0000-4000-8000-000000000004\",\"name\":\"Titan gezien\",\"name_nl\":\"Titan gezien\",\"name_en\":\"\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"date\":\"1655-03-25\",\"date_start\":null,\"date_end\":null,\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null}');
INSERT INTO `texts` VALUES (1,'nl','location',1,'{\"id\":3,\"files\":[],\"main_image\":null,\"latitude\":\"\",\"longitude\":\"\",\"events\":[abbreviated_event],\"subjects\":[subject],\"related_locations\":[],\"url\":\"/nl/locaties/00000000-0000-4000-8000-000000000003/\",\"published\":true,\"name\":\"Hofwijck\",\"name_nl\":\"Hofwijck\",\"name_en\":\"\",\"uuid\":\"00000000-0000-4000-8000-000000000003\",\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"position\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"street\":\"\",\"zipcode\":\"\",\"city\":\"Voorburg\",\"state\":\"\",\"land\":\"\",\"location_events\":[4]}');
INSERT INTO `texts` VALUES (1,'nl','person',1,'{\"id\":2,\"image\":null,\"pictures\":[],\"url\":\"/nl/personen/00000000-0000-4000-8000-000000000002/\",\"subjects\":[\"/nl/api/subjects/00000000-0000-4000-8000-000000000001\"],\"published\":true,\"uuid\":\"00000000-0000-4000-8000-000000000002\",\"first_name\":\"\",\"last_name\":\"Huygens\",\"infix\":\"\",\"title\":\"\",\"title_nl\":\"\",\"title_en\":null,\"content\":\"\",\"content_nl\":\"\",\"content_en\":\"\",\"birth_date\":null,\"death_date\":null,\"gender\":\"\",\"birth_place\":\"\",\"birth_country\":\"\",\"death_place\":\"\",\"death_country\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"files\":[]}');
INSERT INTO `texts` VALUES (1,'nl','subject',1,'{\"id\":1,\"image\":null,\"url\":\"/nl/onderwerpen/00000000-0000-4000-8000-000000000001/\",\"published\":true,\"uuid\":\"00000000-0000-4000-8000-000000000001\",\"name\":\"Sterrenkunde\",\"name_nl\":\"Sterrenkunde\",\"name_en\":\"\",\"description\":\"\",\"description_nl\":\"\",\"description_en\":\"\",\"summary\":\"\",\"summary_nl\":\"\",\"summary_en\":\"\",\"same_as\":null,\"parent\":null,\"files\":[]}');
