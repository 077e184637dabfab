import type { Manifest, ManifestPage } from './manifest.ts'
import { pagesNaming } from './earlier-files.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Whether a stored page may be served, by what is public now. `gone`: its subject is not public any more.
 * `withheld`: it shows data that is not public any more, and will be rendered again without them.
 */
type Verdict = 'shown' | 'gone' | 'withheld'

/** What a path is about, in whatever form: a page, its picture for sharing, its embed, the documents of a source. */
const aboutPage =
  /^\/(?:pages\/(?:storytelling|blank|dashboard)\/([^/]+)\/preview|og\/pages\/([^/]+)\.png|embed\/pages\/([^/]+)\/[^/]+)$/
const aboutSource = /^\/(?:embed\/|og\/)?domains\/[^/]+\/source\/([^/]+?)(?:\.png|\/[^/]+)?$/

interface Public {
  pages: ReadonlySet<string>
  insights: ReadonlySet<string>
}
const sets = new WeakMap<Snapshot, Public>()

/** What a snapshot lists as public; null for snapshots from before these lists existed. */
function publicIn(snapshot: Snapshot): Public | null {
  const { pages, insights } = snapshot
  if (!pages || !insights) return null
  const publicSets = sets.get(snapshot) ?? { pages: new Set(pages), insights: new Set(insights) }
  sets.set(snapshot, publicSets)
  return publicSets
}

/** Whether the subject of a path is public; true for paths without one. */
export function isAboutPublic(snapshot: Snapshot, path: string): boolean {
  const publicSets = publicIn(snapshot)
  if (!publicSets) return true
  const page = aboutPage.exec(path)
  if (page) return publicSets.pages.has(page[1] ?? page[2] ?? page[3] ?? '')
  const source = aboutSource.exec(path)?.[1]
  return source === undefined || isSourcePublic(snapshot, source)
}

const isSourcePublic = ({ sources }: Snapshot, id: string) =>
  Object.hasOwn(sources, id) && sources[id]?.public === true

/** The verdict on a stored page, by its path without language. */
export function verdictOn(snapshot: Snapshot, path: string, page: Pick<ManifestPage, 'shows'>): Verdict {
  const publicSets = publicIn(snapshot)
  if (!publicSets) return 'shown'
  if (!isAboutPublic(snapshot, path)) return 'gone'
  const isPublic = (tag: string) => {
    const [noun, id = ''] = [tag.slice(0, tag.indexOf(':')), tag.slice(tag.indexOf(':') + 1)]
    return noun === 'insight'
      ? publicSets.insights.has(id)
      : noun !== 'source' || isSourcePublic(snapshot, id)
  }
  return (page.shows ?? []).every(isPublic) ? 'shown' : 'withheld'
}

/** Whether a file may be served: only while a page that refers to it may. */
export function isFileShown(snapshot: Snapshot, manifest: Manifest, name: string): boolean {
  return pagesNaming(manifest, name).some((key) => {
    const page = manifest.pages[key]
    return page && verdictOn(snapshot, key.slice(key.indexOf(' ') + 1), page) === 'shown'
  })
}

/** Whether something was withdrawn between two snapshots of a host. */
export function hasWithdrawn(before: Snapshot, after: Snapshot): boolean {
  const { pages = [], insights = [], sources } = before
  const now = publicIn(after)
  if (!now) return false
  return (
    (before.isHub && !after.isHub) ||
    pages.some((id) => !now.pages.has(id)) ||
    insights.some((id) => !now.insights.has(id)) ||
    Object.entries(sources).some(([id, source]) => source.public && !isSourcePublic(after, id))
  )
}
