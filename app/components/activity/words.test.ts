import { describe, expect, it } from 'vitest'
import { countsText, describeActivity, isOfSelf, nameOf, placeOf, together } from './words.ts'

const line = { verb: 'updated', targetType: 'source', targetId: 's 1', actorId: 'ada', counts: null }

describe('the words of the trail', () => {
  it('say what was done to what', () => {
    expect(describeActivity(line)).toBe('changed the source')
    expect(describeActivity({ ...line, verb: 'joined', targetType: 'user' })).toBe('joined')
    expect(describeActivity({ ...line, verb: 'sang', targetType: 'sea_song' })).toBe('sang the sea song')
    expect(describeActivity({ ...line, verb: 'purged' })).toBe('removed for good the deleted source')
  })
  it('do not name twice who joins or leaves', () => {
    const own = { ...line, verb: 'left', targetType: 'user', targetId: 'ada' }
    expect([own, { ...own, verb: 'joined' }].map(describeActivity)).toEqual([
      'left the team',
      'joined the team',
    ])
    expect([own, { ...own, targetId: 'bob' }].map(isOfSelf)).toEqual([true, false])
    expect(describeActivity({ ...own, targetId: 'bob' })).toBe('removed from the team:')
  })
  it('count what was written, and leave out what there was none of', () => {
    expect(countsText(line)).toBeNull()
    expect(countsText({ ...line, counts: { created: 1200, updated: 0, removed: 1 } })).toBe(
      '1,200 new, 1 removed',
    )
    expect(countsText({ ...line, counts: { created: 0, updated: 0, removed: 0 } })).toBe('no changes')
  })
  it('lead to what is still there', () => {
    expect(placeOf(line)).toBe('/sources/s%201')
    expect(placeOf({ ...line, targetType: 'page' })).toBe('/pages/blank/s%201')
    expect(placeOf({ ...line, verb: 'deleted' })).toBeNull()
    expect(placeOf({ ...line, targetType: 'invite' })).toBeNull()
  })
  it('tell of parts, invitations and runs by what people know', () => {
    const deedOf = (targetType: string, verb: string) => describeActivity({ ...line, targetType, verb })
    expect(deedOf('content', 'created')).toBe('added a part to the page')
    expect(deedOf('invite', 'invited')).toBe('invited someone as')
    const invited = { ...line, targetType: 'invite', verb: 'invited', targetName: 'content_admin' }
    expect([invited, { ...line, targetName: 'content_admin' }].map(nameOf)).toEqual([
      'content admin',
      'content_admin',
    ])
    expect(deedOf('job', 'created')).toBe('ran the importer')
  })
})

describe('lines of the trail', () => {
  const named = { ...line, targetName: 'Trees' }
  it('stand together where they say the same of the same thing', () => {
    const runs = together([named, named, { ...named, verb: 'deleted' }, named])
    expect(runs.map(({ length }) => length)).toEqual([2, 1, 1])
  })
  it('stand apart where another did it, to another thing, or with records', () => {
    const counts = { created: 1 }
    const others = [
      { ...named, actorId: 'bob' },
      { ...named, targetId: 's 2' },
      { ...named, counts },
    ]
    for (const other of others) expect(together([named, other])).toHaveLength(2)
    expect(
      together([
        { ...named, counts },
        { ...named, counts },
      ]),
    ).toHaveLength(2)
  })
  it('of support staff stand apart where their reasons differ', () => {
    const opened = { ...named, verb: 'accessOpened', targetType: 'place', targetId: 'oakton' }
    expect(together([opened, { ...opened, targetName: 'Another reason' }])).toHaveLength(2)
    expect(describeActivity(opened)).toBe('opened the organization:')
  })
  it('of parts stand together by their page', () => {
    const part = { ...named, targetType: 'content' }
    expect(together([part, { ...part, targetId: 'other' }])).toHaveLength(1)
    expect(together([part, { ...part, targetId: 'other', targetName: 'Roads' }])).toHaveLength(2)
  })
})
