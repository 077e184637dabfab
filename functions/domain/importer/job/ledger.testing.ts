import { expect } from 'vitest'
import { toCsv, good, hashRows, trees, type ImporterFixture, type Tree } from './testing.ts'
import { ingest, type Mode } from '#functions/domain/records/ingest.ts'

/** The default rows of the file. */
export const rows = trees(5000)
const before: Tree[] = [...trees(1000, 0, 3), ...trees(200, 9000)]
/** An existing record whose row in the file is rejected: no mode deletes it. */
const doubted = (all: Tree[]) =>
  all.map((tree) => (typeof tree.height === 'string' ? { ...tree, height: 1 } : tree))

/** The expected records and counts, computed without the database. */
export function expected(mode: Mode, there: Tree[], file: Tree[]) {
  const rejectedTrees = file.filter(({ height }) => typeof height === 'string')
  return outcome(mode, there, {
    read: file.length,
    good: good(file),
    refused: rejectedTrees.map(({ id }) => id),
  })
}

/**
 * The same for a file with a known number of rows, the valid ones in order, and the ids of its rejected ones (null:
 * unreadable).
 */
export function outcome(
  mode: Mode,
  there: Tree[],
  file: { read: number; good: Tree[]; refused: (string | null)[] },
) {
  const old = new Map(there.map((tree) => [tree.id, tree]))
  const last = new Map(file.good.map((tree) => [tree.id, tree]))
  const rejected = file.refused.length
  const counts = { read: file.read, created: 0, updated: 0, unchanged: 0, removed: 0, rejected }
  const result = new Map(old)
  for (const [id, tree] of last) {
    const existingTree = old.get(id)
    if (!existingTree) counts.created += 1
    else if (mode !== 'append' && JSON.stringify(existingTree) !== JSON.stringify(tree)) counts.updated += 1
    if (!existingTree || mode !== 'append') result.set(id, tree)
  }
  if (mode === 'replace')
    for (const id of old.keys())
      if (!last.has(id) && !file.refused.includes(id)) {
        result.delete(id)
        counts.removed += 1
      }
  counts.unchanged = counts.read - counts.created - counts.updated - counts.rejected
  return { counts, rows: [...result.values()] }
}

/** An importer of a file, over a source in which something is already, with a run that waits. */
export async function prepareImporter(
  bed: ImporterFixture,
  mode: Mode,
  file: Tree[] | string,
  there: Tree[] = doubted(before),
) {
  const id = await bed.importer({ mode })
  if (there.length) await ingest(bed.system(), id, there)
  bed.files.set('/trees.csv', typeof file === 'string' ? file : toCsv(file))
  await bed.start(id)
  return id
}

/** Expects that the run has succeeded: records and counts are as computed, and no temporary data remain. */
export async function expectDone(
  bed: ImporterFixture,
  id: string,
  mode: Mode,
  file: Tree[],
  there: Tree[] = doubted(before),
) {
  const right = expected(mode, there, file)
  const job = await bed.job(id)
  expect(job).toMatchObject({ status: 'succeeded', error: null, leaseUntil: null, counts: right.counts })
  const { hash, version } = await bed.readStored(id)
  expect(hash).toBe(await hashRows(right.rows))
  expect(version).toBe(there.length ? 2 : 1)
  expect(await bed.staged()).toBe(0)
}
