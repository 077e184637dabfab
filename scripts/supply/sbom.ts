import { getPackageName, type LockedPackage, type Lockfile, type Manifest } from './lockfile.ts'
import { statedLicences } from './licences.ts'

/** A component of the product in CycloneDX. */
interface Component {
  type: 'library' | 'application'
  'bom-ref': string
  name: string
  version: string
  /** `excluded`: a tool that builds or tests and is not distributed. */
  scope?: 'required' | 'excluded'
  purl?: string
  hashes?: { alg: 'SHA-512'; content: string }[]
  licenses?: { expression: string }[]
}

interface Sbom {
  bomFormat: 'CycloneDX'
  specVersion: '1.6'
  version: 1
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * Builds the software bill of materials of a lock in CycloneDX 1.6: each version of each package once, with
 * its hash, licence and dependencies. It contains no time and no random number, so the same lock gives the
 * same bytes.
 */
export function makeSbom(lock: Lockfile, manifest: Manifest): Sbom {
  const own = `${manifest.name}@${manifest.version}`
  const components = new Map<string, Component>()
  const needs = new Map<string, Set<string>>([[own, new Set()]])
  for (const [folder, entry] of Object.entries(lock.packages)) {
    const ref = folder === '' ? own : buildPackageUrl(getPackageName(folder, entry), entry)
    if (folder !== '') {
      const isShipped = !entry.dev && !entry.devOptional
      const before = components.get(ref)
      const scope = isShipped || before?.scope === 'required' ? 'required' : 'excluded'
      components.set(ref, { ...(before ?? buildComponent(ref, folder, entry)), scope })
    }
    const dependsOn = needs.get(ref) ?? new Set()
    needs.set(ref, dependsOn)
    for (const name of listDependencyNames(entry, folder === '')) {
      const location = findInstalled(lock, folder, name)
      const lockedPackage = location === null ? undefined : lock.packages[location]
      if (location !== null && lockedPackage)
        dependsOn.add(buildPackageUrl(getPackageName(location, lockedPackage), lockedPackage))
    }
  }
  const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': own, name: manifest.name, version: manifest.version },
    },
    components: [...components.values()].sort((a, b) => byText(a['bom-ref'], b['bom-ref'])),
    dependencies: [...needs]
      .sort(([a], [b]) => byText(a, b))
      .map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].sort(byText) })),
  }
}

function buildComponent(ref: string, folder: string, entry: LockedPackage): Component {
  const name = getPackageName(folder, entry)
  const version = entry.version ?? ''
  const licence = entry.license ?? statedLicences[`${name}@${version}`]
  const hash = entry.integrity?.replace(/^sha512-/, '')
  return {
    ...{ type: 'library', 'bom-ref': ref, name, version, purl: ref },
    ...(hash && { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
    ...(licence && { licenses: [{ expression: licence }] }),
  }
}

/** Returns the package URL (purl) of a package: the `@` of a scope is written `%40`. */
function buildPackageUrl(name: string, { version }: LockedPackage): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`
}

function listDependencyNames(entry: LockedPackage, isOwn: boolean): string[] {
  const kinds = [entry.dependencies, entry.optionalDependencies, entry.peerDependencies]
  if (isOwn) kinds.push(entry.devDependencies)
  return kinds.flatMap((kind) => Object.keys(kind ?? {}))
}

/**
 * Finds the folder in which Node resolves a package, looking upwards from another; null when it is not
 * installed (optional ones).
 */
function findInstalled(lock: Lockfile, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const nested = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (lock.packages[nested]) return nested
    if (folder === '') return null
  }
}
