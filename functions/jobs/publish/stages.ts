import type { HubPath } from '#functions/edge/hub/hub-pages.ts'
import { topicsPath } from '#functions/shapes/topic.ts'
import { searchPath } from '#functions/engine/address/urls.ts'
import type { Manifest, ManifestPage } from '#functions/edge/hub/manifest.ts'

/** Which paths are made in a stage. */
type Stage = (path: HubPath) => boolean

/** Whether a stored page is kept from readers until it is made again. */
type Withheld = (path: string, page: ManifestPage) => boolean

/** The pages that list what a hub has. */
const lists: ReadonlySet<string> = new Set(['/', '/domains', topicsPath, '/datastories', '/map', '/embed/map', searchPath])

/**
 * In which steps a hub is brought up to date, each of them served as soon as it is there. What is not public any more goes
 * first, before anything is made: "gone everywhere (page, search, sitemap, feed, images, caches)". Then come the pages and
 * files that list what there is, which are few, and then all the others, which name it at most in passing and may take
 * minutes. Pictures come last, since no reader waits for them and each takes as long as several pages.
 */
export function stagesOf(
  served: Manifest | null,
  paths: readonly HubPath[],
  isWithheld: Withheld = () => false,
): Stage[] {
  const isRead = (one: HubPath) => !isPicture(one)
  const urgent = urgentStages(served, paths, isWithheld)
  const isLater = (one: HubPath) => isRead(one) && !urgent.some((stage) => stage(one))
  return [...urgent, isLater, isPicture]
}

/** Those of them that wait for nobody: none where nothing has gone. */
export function urgentStages(
  served: Manifest | null,
  paths: readonly HubPath[],
  isWithheld: Withheld = () => false,
): Stage[] {
  const known = new Set(paths.map(({ path }) => path))
  const pathOf = (name: string) => name.slice(name.indexOf(' ') + 1)
  const pages = Object.entries(served?.pages ?? {})
  const isAnyGone = pages.some(([name]) => !known.has(pathOf(name)))
  const withheld = new Set(
    pages.flatMap(([name, page]) => (isWithheld(pathOf(name), page) ? [pathOf(name)] : [])),
  )
  // What a reader is kept from comes before what he has in an older version.
  const isKept = ({ path }: HubPath) => withheld.has(path)
  return [
    ...(isAnyGone ? [() => false] : []),
    ...(withheld.size > 0 ? [isKept] : []),
    ...(isAnyGone ? [(one: HubPath) => isList(one) && !isKept(one)] : []),
  ]
}

function isList({ path, kind }: HubPath): boolean {
  return (
    lists.has(path) || path.startsWith(`${topicsPath}/`) || (kind === 'file' && !path.startsWith('/domains/'))
  )
}

const isPicture = ({ path }: HubPath) => path.startsWith('/og/')
