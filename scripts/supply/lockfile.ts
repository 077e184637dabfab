import { readFileSync } from 'node:fs'
import { isLicenceFine, statedLicences } from './licences.ts'

/** A package's entry in `package-lock.json` (version 3), keyed by the folder it is installed in. */
export interface LockedPackage {
  version?: string
  /** The address it is downloaded from; npm may omit it, which means the configured registry. */
  resolved?: string
  integrity?: string
  license?: string
  hasInstallScript?: boolean
  link?: boolean
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  /** The package's own name, when it is installed under an alias. */
  name?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

export interface Lockfile {
  lockfileVersion: number
  packages: Record<string, LockedPackage>
}

/** The parts of `package.json` that are read. */
export interface Manifest {
  name: string
  version: string
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/**
 * Packages that may run install scripts, each in the one reviewed version: an update of one of them, or
 * another package, is rejected until somebody has read its script and added it here.
 */
const withInstallScripts: readonly string[] = [
  '@scarf/scarf@1.4.0',
  'core-js@3.51.0',
  'esbuild@0.17.6',
  'esbuild@0.19.12',
  'esbuild@0.25.12',
  'esbuild@0.27.3',
  'esbuild@0.27.7',
  'esbuild@0.28.2',
  'sharp@0.34.5',
  'workerd@1.20260424.1',
]

/** The public registry of npm. A lock with another registry could bring in code that nobody else gets. */
const registry = 'https://registry.npmjs.org/'

/** The scripts that npm runs when it installs a project. */
const atInstall = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare']

export function readLockfile(): { lock: Lockfile; manifest: Manifest } {
  const readJson = (file: string): unknown =>
    JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
  return { lock: readJson('package-lock.json') as Lockfile, manifest: readJson('package.json') as Manifest }
}

/** Returns the registry name of the package installed in a folder. */
export function getPackageName(folder: string, { name }: LockedPackage): string {
  return name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** The aliases under which packages are required (`npm:typescript@7.0.2`), as "alias, space, name". */
function readAliases(lock: Lockfile): Set<string> {
  const aliases = new Set<string>()
  for (const entry of Object.values(lock.packages))
    for (const kind of [
      'dependencies',
      'optionalDependencies',
      'peerDependencies',
      'devDependencies',
    ] as const)
      for (const [alias, range] of Object.entries(entry[kind] ?? {})) {
        const name = /^npm:(.+)@/.exec(range)?.[1]
        if (name) aliases.add(`${alias} ${name}`)
      }
  return aliases
}

/**
 * Finds everything in the lock that could bring in code nobody has chosen, one sentence each; empty when
 * there is nothing.
 */
export function lockfileFaults(lock: Lockfile, manifest: Manifest): string[] {
  if (lock.lockfileVersion !== 3) return [`package-lock.json is of version ${lock.lockfileVersion}, not 3`]
  const faults = [...manifestFaults(manifest, lock.packages[''])]
  const hashes = new Map<string, string | undefined>()
  const aliases = readAliases(lock)
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (folder === '') continue
    const name = getPackageName(folder, entry)
    const nameAndVersion = `${name}@${entry.version}`
    const installedAs = getPackageName(folder, {})
    if (name !== installedAs && !aliases.has(`${installedAs} ${name}`))
      faults.push(`${nameAndVersion} (${folder}) stands under another package's name, which nothing asks for`)
    for (const fault of packageFaults(name, nameAndVersion, entry))
      faults.push(`${nameAndVersion} (${folder}) ${fault}`)
    if (hashes.has(nameAndVersion) && hashes.get(nameAndVersion) !== entry.integrity)
      faults.push(`${nameAndVersion} (${folder}) has two hashes for one version`)
    hashes.set(nameAndVersion, entry.integrity)
  }
  return faults
}

function* packageFaults(name: string, nameAndVersion: string, entry: LockedPackage): Generator<string> {
  if (entry.link) yield 'is a link to a folder, not a package of the registry'
  if (!entry.version || !/^\d+\.\d+\.\d+/.test(entry.version)) yield 'has no version'
  // Includes the package's name: a lock could be manipulated to download another package of the same
  // registry.
  if (entry.resolved !== undefined && !entry.resolved.startsWith(`${registry}${name}/-/`))
    yield 'is fetched from elsewhere than its place in the public npm registry'
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) yield 'has no SHA-512 integrity hash'
  if (entry.hasInstallScript && !withInstallScripts.includes(nameAndVersion))
    yield 'runs a script when it is installed and is not in the list of those that may'
  const licence = entry.license ?? statedLicences[nameAndVersion]
  const isShipped = !entry.dev && !entry.devOptional
  if (licence === undefined) yield 'states no licence'
  else if (!isLicenceFine(licence, isShipped))
    yield `has a licence that is not allowed ${isShipped ? 'in what is shipped' : 'among tools'}: ${licence}`
}

function* manifestFaults(manifest: Manifest, root: LockedPackage | undefined): Generator<string> {
  for (const script of atInstall)
    if (manifest.scripts?.[script]) yield `package.json runs “${script}” when it is installed`
  for (const kind of ['dependencies', 'devDependencies'] as const) {
    const dependencies = manifest[kind] ?? {}
    const lockedVersions = root?.[kind] ?? {}
    for (const name of new Set([...Object.keys(dependencies), ...Object.keys(lockedVersions)]))
      if (dependencies[name] !== lockedVersions[name])
        yield `${name} is not the same in package.json and package-lock.json`
    for (const [name, range] of Object.entries(dependencies))
      if (!/^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?[\^~]?\d+\.\d+\.\d+[\w.+-]*$/.test(range))
        yield `${name} is not asked for by version: ${range}`
  }
}

/**
 * Finds packages of the list that are no longer in the lock: a stale entry would let the package in again
 * later.
 */
export function staleInstallScripts(lock: Lockfile): string[] {
  const present = new Set(
    Object.entries(lock.packages)
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([folder, entry]) => `${getPackageName(folder, entry)}@${entry.version}`),
  )
  return withInstallScripts
    .filter((entry) => !present.has(entry))
    .map((entry) => `${entry} is in the list of install scripts and not in the lock`)
}
