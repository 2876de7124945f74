// A process of the part `backends`: a Parse Server on PostgreSQL. Classes exist beforehand, and clients may not add any.
import { createServer } from 'node:http';
import { loadPeer } from './installed.ts';

interface ParseModule {
  ParseServer: new (options: object) => { start(): Promise<void>; app: (...of: never[]) => void };
}
const { DATABASE_URL = '', PARSE_MASTER_KEY = '', PARSE_PORT = '' } = process.env;
const { ParseServer } = await loadPeer<ParseModule>('parse-server');
const serverURL = `http://127.0.0.1:${PARSE_PORT}`;
const permissions = {
  find: { requiresAuthentication: true },
  get: { requiresAuthentication: true },
  count: {},
  create: { requiresAuthentication: true },
  update: { requiresAuthentication: true },
  delete: {},
  addField: {},
};
const server = new ParseServer({
  databaseURI: DATABASE_URL,
  appId: 'bench',
  masterKey: PARSE_MASTER_KEY,
  serverURL,
  allowClientClassCreation: false,
  logLevel: 'error',
  silent: true,
  logsFolder: null,
  schema: {
    definitions: [
      { className: 'Wallet', fields: { balance: { type: 'Number' } }, classLevelPermissions: permissions },
      { className: 'Message', fields: { text: { type: 'String' } }, classLevelPermissions: permissions },
      {
        className: 'Entry',
        fields: { owner: { type: 'Pointer', targetClass: '_User' }, amount: { type: 'Number' } },
        classLevelPermissions: permissions,
      },
    ],
  },
});
await server.start();
const http = createServer(server.app as never);
http.keepAliveTimeout = 60_000;
http.listen(Number(PARSE_PORT), '127.0.0.1', () => console.log(`ready url=${serverURL}`));
