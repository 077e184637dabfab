import { describe, expect, it } from 'vitest'
import {
  countsText,
  describeActivity,
  isOfSelf,
  knownTypes,
  getTargetName,
  findTargetPath,
  subjects,
  groupActivities,
} from './words.ts'

const line = { verb: 'updated', targetType: 'source', targetId: 's 1', actorId: 'ada', counts: null }

describe('sentences of activity entries', () => {
  it('describe action and thing', () => {
    expect(describeActivity(line)).toBe('changed the source')
    expect(describeActivity({ ...line, verb: 'joined', targetType: 'user' })).toBe('joined')
    expect(describeActivity({ ...line, verb: 'sang', targetType: 'sea_song' })).toBe('sang the sea song')
    expect(describeActivity({ ...line, verb: 'purged' })).toBe('removed for good the deleted source')
  })
  it('can be filtered by everything that an organization has', () => {
    const productTypes = ['role', 'operation']
    expect(knownTypes.filter((type) => !Object.hasOwn(subjects, type))).toEqual(productTypes)
  })
  it('do not repeat the name of people who join or leave', () => {
    const own = { ...line, verb: 'left', targetType: 'user', targetId: 'ada' }
    expect([own, { ...own, verb: 'joined' }].map(describeActivity)).toEqual([
      'left the team',
      'joined the team',
    ])
    expect([own, { ...own, targetId: 'bob' }].map(isOfSelf)).toEqual([true, false])
    expect(describeActivity({ ...own, targetId: 'bob' })).toBe('removed from the team:')
  })
  it('count records, without zeros', () => {
    expect(countsText(line)).toBeNull()
    expect(countsText({ ...line, counts: { created: 1200, updated: 0, removed: 1 } })).toBe(
      '1,200 new, 1 removed',
    )
    expect(countsText({ ...line, counts: { created: 0, updated: 0, removed: 0 } })).toBe('no changes')
  })
  it('link to things that still exist', () => {
    expect(findTargetPath(line)).toBe('/sources/s%201')
    expect(findTargetPath({ ...line, targetType: 'page' })).toBe('/pages/blank/s%201')
    expect(findTargetPath({ ...line, verb: 'deleted' })).toBeNull()
    expect(findTargetPath({ ...line, targetType: 'invite' })).toBeNull()
  })
  it('name contents, invitations and runs by what people know', () => {
    const describeLine = (targetType: string, verb: string) => describeActivity({ ...line, targetType, verb })
    expect(describeLine('content', 'created')).toBe('added a part to the page')
    expect(describeLine('invite', 'invited')).toBe('invited someone as')
    const invited = { ...line, targetType: 'invite', verb: 'invited', targetName: 'content_admin' }
    expect([invited, { ...line, targetName: 'content_admin' }].map(getTargetName)).toEqual([
      'content admin',
      'content_admin',
    ])
    expect(describeLine('job', 'created')).toBe('ran the importer')
  })
})

describe('activity entries', () => {
  const entry = { ...line, targetName: 'Trees' }
  it('are grouped if they say the same about the same thing', () => {
    const runs = groupActivities([entry, entry, { ...entry, verb: 'deleted' }, entry])
    expect(runs.map(({ length }) => length)).toEqual([2, 1, 1])
  })
  it('are not grouped with another actor or thing, or with record counts', () => {
    const counts = { created: 1 }
    const others = [
      { ...entry, actorId: 'bob' },
      { ...entry, targetId: 's 2' },
      { ...entry, counts },
    ]
    for (const other of others) expect(groupActivities([entry, other])).toHaveLength(2)
    expect(
      groupActivities([
        { ...entry, counts },
        { ...entry, counts },
      ]),
    ).toHaveLength(2)
  })
  it('of support staff are not grouped if their reasons differ', () => {
    const accessEntry = { ...entry, verb: 'accessOpened', targetType: 'place', targetId: 'oakton' }
    expect(groupActivities([accessEntry, { ...accessEntry, targetName: 'Another reason' }])).toHaveLength(2)
    expect(describeActivity(accessEntry)).toBe('opened the organization:')
  })
  it('of contents are grouped by page', () => {
    const part = { ...entry, targetType: 'content' }
    expect(groupActivities([part, { ...part, targetId: 'other' }])).toHaveLength(1)
    expect(groupActivities([part, { ...part, targetId: 'other', targetName: 'Roads' }])).toHaveLength(2)
  })
})
