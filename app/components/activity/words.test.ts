import { describe, expect, it } from 'vitest'
import { countsText, deed, isOfSelf, placeOf } from './words.ts'

const line = { verb: 'updated', targetType: 'source', targetId: 's 1', actorId: 'ada', counts: null }

describe('the words of the trail', () => {
  it('say what was done to what', () => {
    expect(deed(line)).toBe('changed the source')
    expect(deed({ ...line, verb: 'joined', targetType: 'user' })).toBe('joined')
    expect(deed({ ...line, verb: 'sang', targetType: 'song' })).toBe('sang the song')
  })
  it('do not name twice who joins or leaves', () => {
    const own = { ...line, verb: 'left', targetType: 'user', targetId: 'ada' }
    expect([own, { ...own, verb: 'joined' }].map(deed)).toEqual(['left the team', 'joined the team'])
    expect([own, { ...own, targetId: 'bob' }].map(isOfSelf)).toEqual([true, false])
    expect(deed({ ...own, targetId: 'bob' })).toBe('removed from the team:')
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
})
