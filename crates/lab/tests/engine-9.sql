-- A store from before versions were told apart: three units of two arms, by engine 9.
PRAGMA application_id = 0x50746e63;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE experiments (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    quick INTEGER NOT NULL,
    units INTEGER NOT NULL,
    program TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) STRICT;
INSERT INTO "experiments" VALUES('coins','name = "coins"
seed = 7
units = 60
task = { kind = "coin", pause_ms = 10 }
[[arm]]
name = "a"
planner = "coin(0.25)"
[[arm]]
name = "b"
planner = "coin(0.75)"
',0,3,'0.1.0',0,0);
CREATE TABLE arms (
    id INTEGER PRIMARY KEY,
    experiment TEXT NOT NULL REFERENCES experiments (name),
    hash TEXT NOT NULL,
    name TEXT NOT NULL,
    columns TEXT NOT NULL,
    UNIQUE (experiment, hash)
) STRICT;
INSERT INTO "arms" VALUES(1,'coins','fa4adb0c83f0c995851c4ea3cf5cf284','a','[{"name":"won","kind":"proportion","x":null},{"name":"score","kind":"mean","x":null}]');
INSERT INTO "arms" VALUES(2,'coins','05c9704d62a85ec3cc4e4be5dba711e2','b','[{"name":"won","kind":"proportion","x":null},{"name":"score","kind":"mean","x":null}]');
CREATE TABLE results (
    arm INTEGER NOT NULL REFERENCES arms (id),
    unit INTEGER NOT NULL,
    value BLOB NOT NULL,
    seconds REAL NOT NULL,
    seal INTEGER NOT NULL,
    PRIMARY KEY (arm, unit)
) STRICT, WITHOUT ROWID;
INSERT INTO "results" VALUES(1,0,X'000000000000F03FA6C9D8E2166DF03F',0.010096151,2418947353962992671);
INSERT INTO "results" VALUES(1,1,X'00000000000000008C673433E953C93F',0.010093809,-1463695520556501601);
INSERT INTO "results" VALUES(1,2,X'000000000000F03F7629CBB56ECADF3F',0.010208357,-1292839191539456276);
INSERT INTO "results" VALUES(2,0,X'000000000000F03F4753DBB43F63E33F',0.010135385,3778475350103157198);
INSERT INTO "results" VALUES(2,1,X'000000000000F03F3F5B64ADD689E13F',0.013776863,-8152977040584760926);
INSERT INTO "results" VALUES(2,2,X'0000000000000000BE6238DD6363F13F',0.01014056,-2270533413443335077);
COMMIT;
