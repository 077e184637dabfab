import type { HubState } from '#functions/shapes/hub-state.ts'
import { hubFiles } from './hub-files.ts'
import { groupByTopic, topicPath, topicsPath } from '#functions/shapes/topic.ts'
import { domainPath, searchPath } from '#functions/engine/address/urls.ts'
import { filledPages } from '#functions/engine/table/page.ts'

/**
 * A public path of a hub, with its status. Pages, and the pictures and embeds of them, exist in each
 * language.
 */
export interface HubPath {
  path: string
  status: number
  kind: 'page' | 'shown' | 'file'
}

/** Every public path of a hub, without languages: pages in the order of the spec's route table, then files. */
export function hubPages(hub: HubState): HubPath[] {
  const pages = hub.pages.filter((page) => page.type !== 'dashboard')
  const topics = topicPaths(hub)
  const paths = [
    '/',
    ...(hub.hasMap ? ['/map'] : []),
    ...pages.map((page) => `/pages/${page.type}/${page.id}/preview`),
    '/datastories',
    '/domains',
    ...topics,
    ...domainPaths(hub),
    ...listVisibleSources(hub)
      .map((source) => `/domains/${source.dataTypeId}/source/${source.id}`)
      .flatMap((page) => [page, `${page}/fields`]),
    '/about',
    '/accessibility',
    '/privacy',
    searchPath,
    ...Object.values(filledPages),
  ]
  return [
    ...paths.map((path) => ({ path, status: 200, kind: 'page' as const })),
    { path: '/error', status: 500, kind: 'page' },
    { path: '/404', status: 404, kind: 'page' },
    ...hubFiles(hub).map((file) => ({
      ...file,
      kind: isShown(file.path) ? ('shown' as const) : ('file' as const),
    })),
  ]
}

/** The sources that visitors of a hub see. */
export const listVisibleSources = ({ sources, placeId }: Pick<HubState, 'sources' | 'placeId'>) =>
  sources.filter(({ isPublic, dataTypeId }) => isPublic && !isHidden(placeId, dataTypeId))

/** Maximum number of topic pages; topics beyond it, those with the fewest sources, are only in the search. */
export const maxTopics = 200

/** The paths of the topic list and of each topic, those with the most sources first; empty if no source has a topic. */
export function topicPaths(hub: Pick<HubState, 'sources' | 'placeId'>): string[] {
  const topics = groupByTopic(listVisibleSources(hub), ({ topic }) => topic).slice(0, maxTopics)
  return topics.length === 0 ? [] : [topicsPath, ...topics.map(({ name }) => topicPath(name))]
}

/** The path of each domain with visible data, in the order of their first sources. */
export const domainPaths = (hub: Pick<HubState, 'sources' | 'placeId'>): string[] => [
  ...new Set(listVisibleSources(hub).map(({ dataTypeId }) => domainPath(dataTypeId))),
]

const isShown = (path: string) => /^\/(?:embed\/|og\/|site\.webmanifest$|opensearch\.xml$)/.test(path)

/**
 * The page that a path belongs to: of a source's embed and documents the source's page, otherwise the path
 * itself.
 */
export function getPagePath(path: string): string {
  return /^(?:\/embed)?(\/domains\/[^/]+\/source\/[^/]+)(?:\/[^/]+)?$/.exec(path)?.[1] ?? path
}

/** The data types that are left out of a place's hub, in its lists, counts and search. Programs still get them by the API. */
export const listHiddenTypes = (placeId: string): readonly string[] =>
  placeId === 'nyc-ny' ? ['issue', 'tree'] : []

export const isHidden = (placeId: string, dataTypeId: string): boolean =>
  listHiddenTypes(placeId).includes(dataTypeId)
