import { isKnown } from './grants.ts'
import { operations, type OperationName } from './operations.ts'

/**
 * What people do in an organization, in groups they know, each with its operations. A test requires that each operation
 * a role of places can have is in exactly one group, so that no permission goes unlisted.
 */
const groups = {
  'Look around and try questions': [
    'placeUser.read',
    'importer.read',
    'observer.read',
    'asset.read',
    'insight.test',
    'activity.read',
    'link.create',
  ],
  'Bring in data and keep it up to date': [
    'source.create',
    'source.update',
    'datum.create',
    'datum.update',
    'importer.create',
    'importer.update',
    'importer.run',
    'file.create',
    'sourceKey.read',
    'sourceKey.create',
    'sourceKey.delete',
  ],
  'Delete data, sources and importers': [
    'datum.delete',
    'source.wipe',
    'source.delete',
    'importer.delete',
    'file.delete',
  ],
  'Write, publish and delete stories, pages and collections': [
    'page.create',
    'page.update',
    'page.publish',
    'page.delete',
    'collection.create',
    'collection.update',
    'collection.delete',
    'asset.create',
    'asset.update',
    'asset.delete',
  ],
  'Make insights: charts, maps and tables': ['insight.create', 'insight.update', 'insight.delete'],
  Translate: ['text.translate'],
  'Answer errors that readers report': ['errorReport.read', 'errorReport.update', 'errorReport.delete'],
  'Bring in boundaries': ['boundarySet.create', 'boundarySet.update', 'boundarySet.delete'],
  'Say which fields data have': ['dataType.create', 'dataType.update', 'dataType.delete'],
  'Have data watched': ['observer.create', 'observer.update', 'observer.delete', 'alert.delete'],
  'Invite people and give them roles': [
    'invite.read',
    'invite.create',
    'invite.update',
    'invite.delete',
    'joinRequest.read',
    'joinRequest.answer',
    'placeUser.update',
    'placeUser.delete',
  ],
  'Ask the API how much of everything is used': ['place.usage'],
  'Take the whole organization along as an archive, or close it': ['place.archive', 'place.close'],
  'Change the organization, its look, its hub and its domains': [
    'place.update',
    'place.domain',
    'sso.read',
    'sso.manage',
  ],
  'Take the list of activities along, and put lines of it away': ['activity.export', 'activity.delete'],
} as const satisfies Record<string, readonly OperationName[]>

/** The operations of all groups, in their order. */
export const groupedOperations: readonly OperationName[] = Object.values(groups).flat()

/** What a role may do, as text; each list in the order of the groups. */
export interface Abilities {
  may: string[]
  /** Groups of which the role has only a part of the operations, with a sentence for each that it has. */
  partly: { group: string; may: string[] }[]
  mayNot: string[]
}

/** The groups that a role with these operations covers, wholly or in part. Operations that no code checks are ignored. */
export function toAbilities(grantedNames: readonly string[]): Abilities {
  const grantedSet = new Set(grantedNames.filter(isKnown))
  const abilities: Abilities = { may: [], partly: [], mayNot: [] }
  for (const [group, groupOperations] of Object.entries(groups)) {
    const own = groupOperations.filter((operation) => grantedSet.has(operation))
    if (own.length === groupOperations.length) abilities.may.push(group)
    else if (own.length) abilities.partly.push({ group, may: own.map((name) => operations[name][1]) })
    else abilities.mayNot.push(group)
  }
  return abilities
}
