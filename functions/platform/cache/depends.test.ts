import { expect, test } from 'vitest'
import type { Context } from '#functions/context.ts'
import { dependsOn, emptyBasis, collectVersions } from './depends.ts'

const open = () => {
  const basis = emptyBasis()
  const ctx: Pick<Context, 'depends' | 'basis'> = { depends: new Set(), basis: async () => {} }
  collectVersions(ctx, basis)
  return { ctx, basis, tags: () => [...ctx.depends].sort() }
}

test('rows, lists and what is shown are noted by their own tags', () => {
  const { ctx, tags } = open()
  dependsOn(ctx, { rows: { page: ['story'], source: ['a', 'b'] }, lists: { insight: 'oakton', place: null } })
  expect(tags()).toEqual(['insights:oakton', 'page:story', 'places:*', 'source:a', 'source:b'])
  dependsOn(ctx, { shows: { source: ['c'] } })
  expect(tags()).toEqual(expect.arrayContaining(['shows:source:c', 'source:c']))
  expect(tags()).not.toContain('shows:source:a')
})

test('versions add up, and once of now an answer stays of now', async () => {
  const { ctx, basis, tags } = open()
  await dependsOn(ctx, { versions: { 'source:a': 1 }, isOfNow: true })
  await dependsOn(ctx, { versions: { 'source:b': 2 } })
  expect(basis).toEqual({ basis: { 'source:a': 1, 'source:b': 2 }, isOfNow: true })
  expect(tags()).toEqual([])
})

test('who has the answer already is told so by the one who waits for it', async () => {
  const { ctx } = open()
  ctx.basis = () => Promise.reject(new Error('known'))
  await expect(dependsOn(ctx, { versions: {} })).rejects.toThrow('known')
})
