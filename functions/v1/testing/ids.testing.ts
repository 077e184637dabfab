import type { Route } from '#functions/api/routes.ts'
import type { ProofWorld } from './world.testing.ts'

/** An id for every path parameter. */
export type Ids = Record<string, string>

/** Sets of row ids, by visibility. */
export const idSets = ['closed', 'open', 'private', 'theirs', 'crossed'] as const
export type IdSet = (typeof idSets)[number]

/** Ids of global rows, the same in every set. */
const general = {
  roleId: 'member',
  boundaryId: 'us-ny',
  operationsId: 'place.read',
  operationId: 'place.read',
}

/** closed: visible to Oakton's members. open: public. private: of its admins. theirs: Elmsford's. crossed: Elmsford's rows under Oakton. */
export function buildIdSets({ firstDatum }: Pick<ProofWorld, 'firstDatum'>): Record<IdSet, Ids> {
  const work = (prefix: string): Ids => ({
    importerId: `${prefix}feed`,
    jobId: `${prefix}run`,
    observerId: `${prefix}watch`,
    alertId: `${prefix}rang`,
    errorReportId: `${prefix}wrong`,
    inviteId: `${prefix}asked`,
    archiveId: `${prefix}archive`,
    placeRequestId: `${prefix}wants-place`,
    joinRequestId: `${prefix}wants-in`,
    folderId: `${prefix}photos`,
    fileId: `${prefix}photo`,
    activityId: `${prefix}line`,
    mailDomainId: `${prefix ? 'elmsford' : 'oakton'}.example`,
    passkeyId: prefix ? 'passkey-at-elmsford' : 'passkey-of-admin',
    ssoId: prefix ? 'nobody-at-elmsford' : 'nobody-at-oakton',
    domainId: `data.${prefix ? 'elmsford' : 'oakton'}.example`,
  })
  const stories = (
    source: string,
    page: string,
    content: string,
    collection: string,
    insight: string,
    text: string,
    boundarySet: string,
  ): Ids => ({
    versionId: `version-of-${page}`,
    sourceId: source,
    pageId: page,
    contentId: content,
    collectionId: collection,
    insightId: insight,
    textId: text,
    boundarySetId: boundarySet,
    translationId: `name-of-${source}`,
    datumId: firstDatum[source] ?? '1',
  })
  const ours = {
    placeId: 'oakton',
    assetsId: 'oakton',
    userId: 'member',
    sessionId: 'session-of-member',
    keyId: 'key',
  }
  const closed = {
    ...general,
    ...ours,
    ...work(''),
    ...stories('inner', 'inner-page', 'inner-page-text', 'ours', 'inner-calls', 'our-text', 'our-wards'),
    dataTypeId: 'tree',
  }
  const theirs = {
    ...general,
    ...work('far-'),
    ...stories('far-inner', 'far-page', 'far-content', 'far-ours', 'far-calls', 'far-text', 'far-wards'),
    placeId: 'elmsford',
    assetsId: 'elmsford',
    dataTypeId: 'lamp',
    userId: 'stranger',
    sessionId: 'session-of-stranger',
    keyId: 'far-key',
  }
  return {
    closed,
    open: {
      ...closed,
      ...stories('open', 'story', 'hello', 'best', 'calls', 'best-text', 'wards'),
      dataTypeId: 'call',
    },
    private: {
      ...closed,
      ...stories(
        'secret',
        'secret-page',
        'hidden',
        'secret-best',
        'secret-calls',
        'secret-text',
        'secret-wards',
      ),
      importerId: 'secret-feed',
      jobId: 'secret-run',
    },
    theirs,
    crossed: { ...theirs, placeId: 'oakton' },
  }
}

/** The names of a path's parameters. */
export const listParamNames = ({ path }: Pick<Route, 'path'>) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)

/** A path with its parameters filled in; those without an id here get an unknown one. */
export function fill({ path }: Pick<Route, 'path'>, ids: Ids): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(ids[name] ?? 'nowhere'))
}
