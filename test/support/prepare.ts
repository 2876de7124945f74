// `node prepare.ts <URL of the template> <file>`: migrates the template of all databases of the tests, and writes the
// descriptions of the API and of its live channel to the file.
import { writeFileSync } from 'node:fs';
import { descriptions } from './descriptions.ts';
// Only loaded, so that its code is compiled once for all processes of the tests.
import './platform.ts';
import { prepareTemplate } from './template.ts';

const [templateUrl, file] = process.argv.slice(2) as [string, string];
await prepareTemplate(templateUrl);
writeFileSync(file, JSON.stringify(descriptions()));
