// Needs nothing: there is no container engine here, so what can be checked without one is.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import Stripe from 'stripe';
import { parse } from 'yaml';
import { z } from 'zod';
import { callLimits } from '../../src/activities/call-limits';
import { callOptionsOf } from '../../src/activities/call-options';
import { id } from '../../src/operations/operation-id';
import { stripeRefunds } from '../../src/providers/stripe';
import { defineOperation } from '../../src/tools/define-operation';
import { runCli } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';

const ROOT = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** What of a service is looked at here. */
interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly restart?: string;
  readonly init?: boolean;
  readonly stop_grace_period?: string;
}

const text = read('docker-compose.yml');
const { services, volumes } = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
};
const named = Object.entries(services);
const dockerfile = read('Dockerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line));
const instructions = (name: string) =>
  dockerfile.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());

beforeAll(buildDemo, 120_000);

describe('docker-compose.yml', () => {
  test('is valid by the Compose specification, and its linter finds nothing but the order of keys', () => {
    const rules = {
      'service-keys-order': 0,
      'services-alphabetical-order': 0,
      'service-dependencies-alphabetical-order': 0,
      'top-level-properties-order': 0,
      // As Biome writes them.
      'require-quotes-in-ports': [1, { quoteType: 'double' }],
    } as const;
    const config = { rules, quiet: false, debug: false, exclude: [] };
    // Its declarations do not resolve, so the type is ours.
    const results: readonly { readonly messages: unknown }[] = new DCLinter(config).lintFiles(
      [join(ROOT, 'docker-compose.yml')],
      false,
    );
    expect(results.map(({ messages }) => messages)).toEqual([[]]);
  });

  test('every image that is pulled has the exact version of a release', () => {
    const images = named.flatMap(([, { image }]) => (image === undefined ? [] : [image]));
    expect(images.length).toBeGreaterThan(3);
    for (const image of images) expect(image).toMatch(/^[a-z/-]+:\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
  });

  test('ports are published to this machine alone', () => {
    const ports = named.flatMap(([, service]) => service.ports ?? []);
    expect(ports).toHaveLength(3);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\$\{[A-Z_]+:-\d+\}:\d+$/);
  });

  test('every variable is in .env.example and the other way round; the password has no default', () => {
    const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    const example = read('.env.example');
    const offered = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect([...used].sort()).toEqual([...offered].sort());
    for (const [whole] of text.matchAll(/\$\{POSTGRES_PASSWORD[^}]*\}/g)) expect(whole).toMatch(/:\?.+\}$/);
    expect(example).toMatch(/^POSTGRES_PASSWORD=$/m);
    expect(read('.gitignore').split('\n')).toContain('.env');
  });

  test.each(named)('%s waits for what can come about', (_name, { depends_on = {} }) => {
    for (const [other, { condition }] of Object.entries(depends_on)) {
      const target = services[other];
      if (condition === 'service_healthy') expect(target?.healthcheck).toBeDefined();
      else if (condition === 'service_completed_successfully') expect(target?.restart).toMatch(/^on-failure:\d+$/);
      else
        expect({ condition, restart: target?.restart }).toEqual({
          condition: 'service_started',
          restart: 'unless-stopped',
        });
    }
  });

  test('the worker starts after the migrations and the search attributes', () => {
    expect(Object.keys(services['worker']?.depends_on ?? {}).sort()).toEqual(['migrate', 'setup']);
  });

  const ours = named.filter(([, { build }]) => build === '.');

  test.each(ours)('%s runs a command that there is, with signals passed on', async (_name, service) => {
    expect(service.init).toBe(true);
    const [first = '', ...rest] = service.entrypoint ?? service.command ?? [];
    for (const word of [first, ...rest].filter((each) => each.startsWith('examples/'))) {
      expect(existsSync(join(ROOT, word))).toBe(true);
    }
    if (service.entrypoint !== undefined) return expect(first).toBe('node');
    const { code, stdout } = await runCli([first, '--help']);
    expect(code).toBe(0);
    // For a word that is no command, the help is everything's.
    expect(stdout).toContain(`Usage: sendonce ${first} `);
    for (const option of rest.filter((word) => word.startsWith('--'))) expect(stdout).toContain(option);
  });

  test('every folder and file that is mounted is there, and so is every volume', () => {
    for (const [source = ''] of named.flatMap(([, service]) => service.volumes ?? []).map((each) => each.split(':'))) {
      if (source.startsWith('./'))
        expect({ source, there: existsSync(join(ROOT, source)) }).toEqual({ source, there: true });
      else expect(Object.keys(volumes)).toContain(source);
    }
    const scripts = named.flatMap(([, { entrypoint = [] }]) =>
      entrypoint.filter((word) => word.startsWith('/deploy/')),
    );
    expect(scripts).toHaveLength(2);
    for (const script of scripts)
      expect(existsSync(join(ROOT, script.replace('/deploy/', 'deploy/temporal/')))).toBe(true);
  });

  test('the worker has longer to stop than it gives its calls', () => {
    const refund = defineOperation({
      name: 'refund_order',
      description: 'As in the example.',
      input: z.object({ order: z.string() }),
      resolve: ({ order }) => ({ order }),
      operationId: ({ order }) => id`refund-${order}`,
      request: ({ order }) => ({ paymentIntent: order, amount: 1, currency: 'eur' }),
      provider: stripeRefunds({ connect: (config) => new Stripe('sk_test_1', config) }),
    });
    const { startToCloseMs } = callOptionsOf(refund, callLimits());
    const [, seconds] = /^(\d+)s$/.exec(services['worker']?.stop_grace_period ?? '') ?? [];
    expect(Number(seconds) * 1_000).toBeGreaterThan(startToCloseMs);
  });
});

describe('the Dockerfile', () => {
  test('takes the Node that the tests run on, in both stages', () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
    const version = lock.packages['node_modules/node']?.version;
    expect(instructions('FROM')).toEqual([`node:${version}-bookworm-slim AS build`, `node:${version}-bookworm-slim`]);
  });

  test('copies what is there, and .dockerignore lets it through', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const sources = instructions('COPY')
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(' ').slice(0, -1));
    expect([...sources].sort()).toEqual([...allowed].sort());
    for (const source of sources)
      expect({ source, there: existsSync(join(ROOT, source)) }).toEqual({ source, there: true });
  });

  test('installs what the lock says, and runs as nobody special', () => {
    const runs = instructions('RUN').join('\n');
    expect(runs).toContain('npm ci ');
    expect(runs).not.toMatch(/npm (install|i|add|update)\b/);
    expect(instructions('USER')).toEqual(['1000:1000']);
    expect(instructions('ENTRYPOINT')).toEqual(['["sendonce"]']);
  });

  test('keeps the peers that the example imports', () => {
    const imported = [...read('examples/docker/worker.mjs').matchAll(/from '([^']+)'/g)].map(([, name = '']) => name);
    const kept = [...read('Dockerfile').matchAll(/'dependencies\.([\w@/-]+)=\*'/g)].map(([, name = '']) => name);
    // `ai` is what every worker needs.
    expect([...kept].sort()).toEqual(['ai', ...imported.filter((name) => !name.startsWith('sendonce'))].sort());
  });
});
