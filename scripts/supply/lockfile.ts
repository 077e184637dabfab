import { readFileSync } from 'node:fs'
import { isLicenceFine, statedLicences } from './licences.ts'

/** What `package-lock.json` (version 3) says of one package, by the folder it is installed in. */
export interface LockedPackage {
  version?: string
  /** Where it is fetched from; npm may leave it out, which means the registry that is configured. */
  resolved?: string
  integrity?: string
  license?: string
  hasInstallScript?: boolean
  link?: boolean
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  /** The package's own name, where it is installed under another. */
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

/** What is read here of `package.json`. */
export interface Manifest {
  name: string
  version: string
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/**
 * Packages that may run a program while they are installed, each in the one version that was looked at: an update of one of
 * them, or one more, is refused until somebody has read its script and written it here.
 */
const withInstallScripts: readonly string[] = [
  '@scarf/scarf@1.4.0',
  'core-js@3.51.0',
  'esbuild@0.17.6',
  'esbuild@0.21.5',
  'esbuild@0.25.12',
  'esbuild@0.27.3',
  'esbuild@0.27.7',
  'esbuild@0.28.2',
  'sharp@0.34.5',
  'workerd@1.20260424.1',
]

/** The public registry of npm. A lock that names another place brings code that nobody else gets. */
const registry = 'https://registry.npmjs.org/'

/** What npm runs by itself when it installs a project. */
const atInstall = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare']

export function readLockfile(): { lock: Lockfile; manifest: Manifest } {
  const readJson = (file: string): unknown =>
    JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
  return { lock: readJson('package-lock.json') as Lockfile, manifest: readJson('package.json') as Manifest }
}

/** The name a package has in the registry, of the folder it is installed in. */
export function nameOf(folder: string, { name }: LockedPackage): string {
  return name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** The other names under which something asks for a package (`npm:typescript@7.0.2`), as "other name, space, name". */
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

/** Everything in the lock that could bring in what nobody has chosen, a sentence each; empty when all is well. */
export function lockfileFaults(lock: Lockfile, manifest: Manifest): string[] {
  if (lock.lockfileVersion !== 3) return [`package-lock.json is of version ${lock.lockfileVersion}, not 3`]
  const faults = [...manifestFaults(manifest, lock.packages[''])]
  const hashes = new Map<string, string | undefined>()
  const aliases = readAliases(lock)
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (folder === '') continue
    const name = nameOf(folder, entry)
    const nameAndVersion = `${name}@${entry.version}`
    const installedAs = nameOf(folder, {})
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
  // The package's name as well: a lock may be made to fetch another package of the same registry.
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

/** Packages of the list that no longer stand in the lock: a name that waits there would let a later one in. */
export function staleInstallScripts(lock: Lockfile): string[] {
  const present = new Set(
    Object.entries(lock.packages)
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([folder, entry]) => `${nameOf(folder, entry)}@${entry.version}`),
  )
  return withInstallScripts
    .filter((entry) => !present.has(entry))
    .map((entry) => `${entry} is in the list of install scripts and not in the lock`)
}
