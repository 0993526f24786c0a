// Dredd requires this file and hands it `hooks` by that name. What the hooks do is up to the run (run-dredd.ts).
const hooks = require('hooks');
const { hooksOfRun } = require('./run-dredd.ts');

hooks.beforeEach(hooksOfRun('beforeEach'));
hooks.beforeEachValidation(hooksOfRun('beforeEachValidation'));
hooks.afterEach(hooksOfRun('afterEach'));
