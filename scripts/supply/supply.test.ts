import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isLicenceFine } from './licences.ts'
import {
  lockfileFaults,
  readLockfile,
  staleInstallScripts,
  type LockedPackage,
  type Manifest,
} from './lockfile.ts'
import { makeSbom } from './sbom.ts'
import { secretsInHistory } from './history.ts'
import { secretsBelow, secretsIn } from './secrets.ts'

const { lock, manifest } = readLockfile()

test('the lock of this project brings in nothing that nobody has chosen', () => {
  expect(lockfileFaults(lock, manifest)).toEqual([])
  expect(staleInstallScripts(lock)).toEqual([])
  expect(Object.keys(lock.packages).length).toBeGreaterThan(2000)
})

/** Returns the problems found when one package of the lock is changed. */
function faultsWith(folder: string, changes: Partial<LockedPackage>, packageManifest: Manifest = manifest) {
  const packages = { ...lock.packages, [folder]: { ...lock.packages[folder], ...changes } }
  return lockfileFaults({ ...lock, packages }, packageManifest)
}
const hono = 'node_modules/hono'
const place = (path: string) => `https://registry.npmjs.org/${path}`
const otherHash = `sha512-${'A'.repeat(86)}==`

const plantedFaults: [name: string, folder: string, changed: Partial<LockedPackage>, says: RegExp][] = [
  ['another registry', hono, { resolved: 'https://packages.evil.test/hono/-/hono-4.tgz' }, /elsewhere/],
  [
    'a host that begins alike',
    hono,
    { resolved: `${place('').slice(0, -1)}.evil.test/hono/-/h.tgz` },
    /else/,
  ],
  ['no encryption', hono, { resolved: place('hono/-/hono-4.tgz').replace('https', 'http') }, /elsewhere/],
  ['another package', hono, { resolved: place('hon0/-/hon0-4.tgz') }, /elsewhere/],
  [
    "another package under this one's name",
    hono,
    { name: 'hon0', resolved: place('hon0/-/hon0-4.tgz') },
    /stands under another/,
  ],
  ['a repository', hono, { resolved: 'git+ssh://git@github.com/evil/hono.git#abc' }, /elsewhere/],
  ['a file', hono, { resolved: 'file:../hono.tgz' }, /elsewhere/],
  ['no hash', hono, { integrity: undefined }, /no SHA-512/],
  ['a weak hash', hono, { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, /no SHA-512/],
  ['a link', hono, { link: true }, /link/],
  ['a new install script', hono, { hasInstallScript: true }, /hono@.* runs a script/],
  [
    'a known script in a new version',
    'node_modules/workerd',
    { version: '1.99991231.0' },
    /workerd@1.9.* runs/,
  ],
  ['a licence that spreads', hono, { license: 'AGPL-3.0-only' }, /not allowed in what is shipped: AGPL/],
  ["a tool's licence in what is shipped", hono, { license: 'LGPL-3.0-or-later' }, /in what is shipped/],
  ['no licence', hono, { license: undefined }, /states no licence/],
  [
    'two hashes for one version',
    'node_modules/tsx/node_modules/hono',
    { ...lock.packages[hono], integrity: otherHash },
    /two hashes/,
  ],
]
test.each(plantedFaults)('rejects in the lock: %s', (_, folder, changes, says) => {
  const faults = faultsWith(folder, changes)
  expect(faults.length).toBeGreaterThan(0)
  for (const line of faults) expect(line).toMatch(says)
})

test('accepts the public registry in a lock', () => {
  expect(faultsWith(hono, { resolved: place('hono/-/hono-4.13.19.tgz') })).toEqual([])
})

test('rejects in package.json an install script, a package missing from the lock, and an invalid version', () => {
  const withScript = { ...manifest, scripts: { ...manifest.scripts, postinstall: 'node x.js' } }
  expect(lockfileFaults(lock, withScript)).toEqual(['package.json runs “postinstall” when it is installed'])
  const more = { ...manifest, dependencies: { ...manifest.dependencies, evil: 'github:evil/evil' } }
  expect(lockfileFaults(lock, more)).toEqual([
    'evil is not the same in package.json and package-lock.json',
    'evil is not asked for by version: github:evil/evil',
  ])
})

test('reports an allowed install script that is no longer in the lock', () => {
  const packages = { ...lock.packages }
  delete packages['node_modules/workerd']
  expect(staleInstallScripts({ ...lock, packages })).toEqual([
    expect.stringMatching(/^workerd@.* not in the lock$/),
  ])
})

test('needs one alternative of a licence, or all its parts, and rejects nested brackets', () => {
  expect(isLicenceFine('(MIT OR GPL-3.0-only)', true)).toBe(true)
  expect(isLicenceFine('MIT AND GPL-3.0-only', true)).toBe(false)
  expect(isLicenceFine('GPL-3.0-only AND (MIT OR ISC)', true)).toBe(false)
  expect(isLicenceFine('MIT OR GPL-3.0-only AND ISC', true)).toBe(false)
})

test('lists each package once with hash, licence and dependencies, and is deterministic', () => {
  const sbom = makeSbom(lock, manifest)
  const refs = sbom.components.map((component) => component['bom-ref'])
  const packageNames = Object.entries(lock.packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, { name, version }]) => `${name ?? folder.split('node_modules/').at(-1)}@${version}`)
  expect(new Set(refs).size).toBe(refs.length)
  expect(sbom.components.map(({ name, version }) => `${name}@${version}`).sort()).toEqual(
    [...new Set(packageNames)].sort(),
  )
  for (const { name, hashes, licenses } of sbom.components)
    expect([name, hashes?.[0]?.content, licenses?.[0]?.expression]).toEqual([
      name,
      expect.stringMatching(/^[0-9a-f]{128}$/),
      expect.any(String),
    ])
  const ends = new Set(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn))
  for (const end of ends) expect(refs).toContain(end)
  // A package that nothing depends on should not be in the lock.
  expect(refs.filter((ref) => !ends.has(ref))).toEqual([])
  const findScope = (name: string) => sbom.components.find((component) => component.name === name)?.scope
  expect([findScope('hono'), findScope('vitest')]).toEqual(['required', 'excluded'])
  const reversedLock = { ...lock, packages: Object.fromEntries(Object.entries(lock.packages).reverse()) }
  expect(JSON.stringify(makeSbom(reversedLock, manifest))).toBe(JSON.stringify(sbom))
})

// Concatenated here, so that this file contains no secret itself.
const body = 'Ab1'.repeat(12)
const secrets = [
  `-----BEGIN ${'RSA PRIVATE KEY'}-----`,
  `-----BEGIN ${'PRIVATE KEY'}-----`,
  `AKIA${'IOSFODNN7EXAMPL'}Q`,
  `ghp_${body}`,
  `npm_${body}`,
  `xoxb-${body}`,
  `sk_live_${body}`,
  `AIza${body.slice(1)}`,
  `sk-ant-${body}`,
  `npg_${body}`,
  `cpk_${body}`,
  `whsec_${body}`,
  `eyJ${body}.eyJ${body}.${body}`,
  `postgres://owner:${body}@ep-cool.eu.neon.tech/db`,
  `https://robot:${body}@git.city.gov/repo`,
]
test.each(secrets.map((secret) => [secret.slice(0, 9), secret]))('finds in a file: %s…', (_, secret) => {
  const text = `one\nconst it = '${secret}'\n`
  const secrets = secretsIn(text)
  expect(secrets.map(({ line }) => line)).toEqual([2])
  expect(JSON.stringify(secrets)).not.toContain(body.slice(0, 12))
})

test('ignores addresses of examples and of this machine', () => {
  const user = 'postgres://app:app-word'
  for (const host of ['127.0.0.1:5432', 'localhost', 'db.test', 'city.example', '${host}'])
    expect(secretsIn(`${user}@${host}/db`)).toEqual([])
})

test('reads a folder completely, with names of secret files and binary files, but without generated folders', () => {
  const root = mkdtempSync(join(tmpdir(), 'secrets-'))
  try {
    mkdirSync(join(root, 'app/deep'), { recursive: true })
    mkdirSync(join(root, 'node_modules'))
    writeFileSync(join(root, 'app/deep/picture.png'), Buffer.from(`\xff\x00\n\xfe ghp_${body}\x00`, 'latin1'))
    writeFileSync(join(root, 'app/.env.local'), '')
    writeFileSync(join(root, 'node_modules/x.js'), `ghp_${body}`)
    expect(secretsBelow(root).sort()).toEqual([
      'app/.env.local is a file of secrets',
      'app/deep/picture.png:2 holds a token of GitHub',
    ])
  } finally {
    rmSync(root, { recursive: true })
  }
})

test('no file of this project contains a secret', () => {
  expect(secretsBelow()).toEqual([])
})

test('finds removed secrets in the history: files of every branch, and commit messages', () => {
  const root = mkdtempSync(join(tmpdir(), 'history-'))
  const git = (...words: string[]) => {
    const { status, stderr } = spawnSync(
      'git',
      ['-C', root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words],
      { encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(stderr)
  }
  try {
    git('init', '--quiet', '--initial-branch=main')
    writeFileSync(join(root, 'a.txt'), `one\nghp_${body}\n`)
    git('add', '.')
    git('commit', '--quiet', '-m', 'One')
    writeFileSync(join(root, 'a.txt'), 'one\n')
    git('commit', '--quiet', '-a', '-m', 'Two')
    git('checkout', '--quiet', '-b', 'side')
    git('commit', '--quiet', '--allow-empty', '-m', `npm_${body}`)
    git('checkout', '--quiet', 'main')
    expect(
      secretsInHistory(root)
        .map((text) => text.replace(/ \(\w+\)/, ''))
        .sort(),
    ).toEqual(['a.txt:2 holds a token of GitHub', 'the text of a commit:6 holds a token of npm'])
  } finally {
    rmSync(root, { recursive: true })
  }
})

test('no version of a file of this project contained a secret', () => {
  expect(secretsInHistory()).toEqual([])
})
