import type { HubPath } from '#functions/edge/hub/hub-pages.ts'
import { topicsPath } from '#functions/shapes/topic.ts'
import { searchPath } from '#functions/engine/address/urls.ts'
import type { Manifest, ManifestPage } from '#functions/edge/hub/manifest.ts'

/** Whether a path belongs to a stage. */
type Stage = (path: HubPath) => boolean

/** Whether a stored page is withheld from readers until it is rendered again. */
type WithheldCheck = (path: string, page: ManifestPage) => boolean

/** The pages that list the contents of a hub. */
const lists: ReadonlySet<string> = new Set([
  '/',
  '/domains',
  topicsPath,
  '/datastories',
  '/map',
  '/embed/map',
  searchPath,
])

/**
 * The stages of updating a hub, each published as soon as it is complete. First, what is not public any more is removed
 * everywhere (page, search, sitemap, feed, images, caches), before anything is rendered. Then come the few pages and
 * files that list contents, then all other pages, which may take minutes. Pictures come last: no reader waits for them,
 * and each takes as long as several pages.
 */
export function planStages(
  manifest: Manifest | null,
  paths: readonly HubPath[],
  isWithheld: WithheldCheck = () => false,
): Stage[] {
  const isRead = (one: HubPath) => !isPicture(one)
  const urgent = urgentStages(manifest, paths, isWithheld)
  const isLater = (one: HubPath) => isRead(one) && !urgent.some((stage) => stage(one))
  return [...urgent, isLater, isPicture]
}

/** The stages that do not wait for a lease: those that remove what is not public any more. Empty where there is nothing to remove. */
export function urgentStages(
  manifest: Manifest | null,
  paths: readonly HubPath[],
  isWithheld: WithheldCheck = () => false,
): Stage[] {
  const knownPaths = new Set(paths.map(({ path }) => path))
  const getPagePath = (name: string) => name.slice(name.indexOf(' ') + 1)
  const pages = Object.entries(manifest?.pages ?? {})
  const isAnyGone = pages.some(([name]) => !knownPaths.has(getPagePath(name)))
  const withheld = new Set(
    pages.flatMap(([name, page]) => (isWithheld(getPagePath(name), page) ? [getPagePath(name)] : [])),
  )
  // Withheld pages come before pages of which readers still have an older version.
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
