// What `deploy/` says to Docker Compose, haproxy, nginx and Kubernetes, checked without them.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { ConfigurationFault, readConfig } from '../../src/app/config.ts';

const deploy = new URL('../../deploy/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, deploy), 'utf8');

const settings = new Set(
  [...readFileSync(new URL('../.env.example', deploy), 'utf8').matchAll(/^#(\w+)=/gm)].map(
    ([, name]) => name,
  ),
);
/** The settings without which production does not start. */
const needed = (() => {
  try {
    readConfig({ ENVIRONMENT: 'production' });
  } catch (error) {
    assert.ok(error instanceof ConfigurationFault);
    return [...error.message.matchAll(/- (\S+) is needed in production/g)].map(([, name]) => name as string);
  }
  throw new Error('production starts without settings');
})();

// biome-ignore lint/suspicious/noExplicitAny: manifests of several kinds
type Json = Record<string, any>;

const manifests = readdirSync(new URL('kubernetes/', deploy)).flatMap((file) =>
  parseAllDocuments(read(`kubernetes/${file}`)).map((one) => ({ file, manifest: one.toJS() as Json })),
);
const ofKind = (kind: string): Json[] =>
  manifests.filter(({ manifest }) => manifest.kind === kind).map(({ manifest }) => manifest);

const SCHEMAS: Record<string, () => Promise<object>> = {
  v1: () => import('kubernetes-models/v1'),
  'apps/v1': () => import('kubernetes-models/apps/v1'),
  'autoscaling/v2': () => import('kubernetes-models/autoscaling/v2'),
  'batch/v1': () => import('kubernetes-models/batch/v1'),
  'networking.k8s.io/v1': () => import('kubernetes-models/networking.k8s.io/v1'),
  'policy/v1': () => import('kubernetes-models/policy/v1'),
};

/** Checks an object against the schema of its kind. @throws with the faults */
async function validate(manifest: Json): Promise<void> {
  const kinds: Json = (await SCHEMAS[manifest.apiVersion]?.()) ?? {};
  assert.ok(kinds[manifest.kind], `${manifest.apiVersion} ${manifest.kind} is known`);
  new kinds[manifest.kind](manifest).validate();
}

/** Kinds of extensions of Kubernetes. */
const EXTENSIONS = ['Kustomization', 'PodMonitor'];

test('each object is one of Kubernetes by its schema, and a wrong one is not', async () => {
  const own = manifests.filter(({ manifest }) => !EXTENSIONS.includes(manifest.kind));
  assert.ok(own.length >= 12);
  for (const { manifest } of own) await validate(manifest);
  const [api] = ofKind('Deployment');
  await assert.rejects(validate({ ...api, spec: { ...api?.spec, replicas: 'two' } }), /replicas/);
});

test('the kustomization applies every file but that of the Prometheus operator', () => {
  const { resources } = parse(read('kubernetes/kustomization.yaml'));
  const files = readdirSync(new URL('kubernetes/', deploy));
  const others = files.filter((name) => !resources.includes(name));
  assert.deepEqual(others.sort(), ['kustomization.yaml', 'monitoring.yaml']);
});

test('pods are unprivileged, cannot write to their root, and end before they are killed', () => {
  const [config] = ofKind('ConfigMap');
  const { STOP_SECONDS, DRAIN_SECONDS, METRICS_PORT } = config?.data ?? {};
  for (const { spec, kind } of [...ofKind('Deployment'), ...ofKind('Job')]) {
    const pod = spec.template.spec;
    assert.equal(pod.securityContext.runAsNonRoot, true);
    for (const container of pod.containers) {
      assert.equal(container.securityContext.readOnlyRootFilesystem, true);
      assert.deepEqual(container.securityContext.capabilities, { drop: ['ALL'] });
      const mounted = container.volumeMounts.map(({ name }: Json) => name);
      const volumes = pod.volumes.map(({ name }: Json) => name);
      assert.deepEqual([...new Set(mounted)].sort(), volumes.sort());
      if (kind === 'Job') continue;
      const metrics = container.ports.find(({ name }: Json) => name === 'metrics');
      assert.equal(String(metrics.containerPort), METRICS_PORT);
      const { periodSeconds, failureThreshold } = container.readinessProbe;
      assert.ok(
        Number(DRAIN_SECONDS) >= periodSeconds * failureThreshold,
        'a draining pod is taken out in time',
      );
    }
    if (kind === 'Deployment') assert.ok(pod.terminationGracePeriodSeconds > Number(STOP_SECONDS));
  }
});

test('only settings that exist are set, and all that production needs', () => {
  const { services, 'x-environment': common } = parse(read('compose.yaml'), { merge: true });
  for (const name of needed) assert.ok(name in common, `${name} of compose.yaml`);
  const [config] = ofKind('ConfigMap');
  const secrets = read('kubernetes/settings.yaml').match(/DATABASE_URL, [^.]+/)?.[0] ?? '';
  for (const name of needed)
    assert.ok(name in (config?.data ?? {}) || secrets.includes(name), `${name} of settings.yaml`);
  const ofPods = [...ofKind('Deployment'), ...ofKind('Job')].flatMap(({ spec }) =>
    spec.template.spec.containers.flatMap(({ env }: Json) => env.map(({ name }: Json) => name)),
  );
  const ofServices = ['migrate', 'api', 'worker', 'transcoder'].flatMap((name) =>
    Object.keys(services[name].environment),
  );
  for (const name of [...Object.keys(config?.data ?? {}), ...ofPods, ...ofServices])
    assert.ok(settings.has(name), `${name} is no setting`);
});

test('the storage of compose.yaml knows the credentials that the platform signs with', () => {
  const { configs } = parse(read('compose.yaml'), { merge: true });
  const filled = configs.storage.content.replace(/\$\{(\w+):-\}/g, (_: string, name: string) => {
    assert.ok(settings.has(name), `${name} is no setting`);
    return name;
  });
  const [{ credentials, actions }] = JSON.parse(filled).identities;
  assert.deepEqual(credentials, [
    { accessKey: 'STORAGE_ACCESS_KEY_ID', secretKey: 'STORAGE_SECRET_ACCESS_KEY' },
  ]);
  assert.deepEqual(actions, ['Read', 'Write', 'List']);
});

test('the storage of compose.yaml gets one secret only, and creating its bucket is repeated until it is there', () => {
  const { storage, 'storage-bucket': bucket } = parse(read('compose.yaml'), { merge: true }).services;
  assert.deepEqual(
    [storage.env_file, Object.keys(storage.environment)],
    [undefined, ['STORAGE_SECRET_ACCESS_KEY']],
  );
  const folder = mkdtempSync(join(tmpdir(), 'platform-weed-'));
  const endsWell = (said: string): boolean => {
    writeFileSync(join(folder, 'weed'), `#!/bin/sh\necho '${said}' >&2\n`, { mode: 0o755 });
    const [program, ...args] = [...bucket.entrypoint, ...bucket.command];
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    return spawnSync(program, args, { env }).status === 0;
  };
  assert.equal(endsWell('created bucket platform'), true);
  assert.equal(endsWell('error: get filer configuration: connection refused'), false);
  rmSync(folder, { recursive: true });
});

test('every file and folder that compose.yaml mounts exists', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Json> };
  const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.flatMap((volume: string) => (volume.startsWith('./') ? [volume.split(':')[0] as string] : [])),
  );
  assert.ok(mounted.length > 4);
  for (const path of mounted) assert.ok(existsSync(new URL(path, deploy)), path);
});

test('workers and transcoders together take jobs from all queues', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  const queuesOf = (name: string): string => services[name].environment.WORKER_QUEUES;
  assert.equal(queuesOf('worker'), `!${queuesOf('transcoder')}`);
  const ofPod = (name: string) =>
    ofKind('Deployment')
      .find(({ metadata }) => metadata.name === name)
      ?.spec.template.spec.containers[0].env.find((one: Json) => one.name === 'WORKER_QUEUES').value;
  assert.equal(ofPod('worker'), `!${ofPod('transcoder')}`);
});

test('haproxy accepts its configuration', {
  skip: process.env.TEST_HAPROXY ? false : 'haproxy is not installed',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-haproxy-'));
  try {
    const config = join(folder, 'haproxy.cfg');
    const page = new URL('unavailable.http', deploy).pathname;
    writeFileSync(config, read('haproxy.cfg').replace('/usr/local/etc/haproxy/unavailable.http', page));
    execFileSync(process.env.TEST_HAPROXY as string, ['-c', '-f', config], { stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('nginx accepts its configuration', {
  skip: process.env.TEST_NGINX ? false : 'nginx is not installed',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-nginx-'));
  try {
    const directives = `pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'nginx.log')};`;
    const config = new URL('nginx.conf', deploy).pathname;
    const check = ['-t', '-q', '-p', folder, '-c', config, '-g', directives];
    execFileSync(process.env.TEST_NGINX as string, check, { stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
