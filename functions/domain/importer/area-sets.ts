import { readNamedAreas, type ReadAreas } from '#functions/domain/boundary/named-areas.ts'
import { whereOneVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { NamedAreas } from '#functions/engine/gazetteer/areas.ts'
import { listNamedSets, type Mapping, type NamedSet } from '#functions/shapes/importer-mapping.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import type { Tx } from '#db/schema.ts'

/** The most areas that all sets of a mapping may have together: some 30 MB of names, codes and points. */
const maxAreasRead = 100_000

/** The boundary sets of a mapping, as they are read for its rows. */
interface AreaSets {
  /** For `mapper`. Each set is read once. Failure `invalid` at its place in the importer where it cannot be. */
  read(set: NamedSet): Promise<NamedAreas>
  /** The versions of the sets that were read, as a text; null: none was. */
  version(): string | null
}

/** Reads the boundary sets of mappings for an organization, as far as the actor may see them. */
export function createAreaSets(ctx: Context, placeId: string): AreaSets {
  const sets = new Map<string, ReadAreas>()
  let count = 0
  return {
    async read({ boundarySetId, path }) {
      const before = sets.get(boundarySetId)
      if (before) return before
      const set = await readNamedAreas(ctx, placeId, boundarySetId)
      const at = ['mapping', ...path]
      if (!set) throw toFailure([missingSet(at, boundarySetId)])
      count += set.areas.length
      if (count > maxAreasRead) throw toFailure([createTooManyIssue(at, count)])
      sets.set(boundarySetId, set)
      return set
    },
    version() {
      const parts = [...sets].map(([id, { version }]) => `${id}:${version}`)
      return parts.length > 0 ? parts.sort().join(' ') : null
    },
  }
}

/**
 * Rejects a mapping that newly names a boundary set which is neither built in nor one of the organization that the actor
 * may see; such sets are locked until the end of the transaction, so that none is deleted meanwhile.
 */
export async function requireAreaSets(
  tx: Tx,
  ctx: Context,
  placeId: string,
  { before, after }: { before: Mapping; after: Mapping },
): Promise<void> {
  const previousSetIds = new Set(listNamedSets(before).map(({ boundarySetId }) => boundarySetId))
  const issues: Issue[] = []
  for (const { boundarySetId, path } of listNamedSets(after)) {
    if (isBuiltInSet(boundarySetId) || previousSetIds.has(boundarySetId)) continue
    const set = await tx
      .selectFrom('boundarySet')
      .select('id')
      .where(whereOneVisible(ctx, 'boundarySet', boundarySetId, placeId))
      .forShare()
      .executeTakeFirst()
    if (!set) issues.push(missingSet(['mapping', ...path], boundarySetId))
  }
  if (issues.length > 0) throw toFailure(issues)
}

const missingSet = (path: Issue['path'], value: string): Issue => ({
  ...{ path, value, validator: 'exists' },
  message: `There is no boundary set “${value}” of the organization, or it may not be used (${path.join('.')}).`,
})

const createTooManyIssue = (path: Issue['path'], count: number): Issue => ({
  ...{ path, validator: 'limit' },
  message: `The boundary sets of the mapping have ${count.toLocaleString('en')} areas; together they may have ${maxAreasRead.toLocaleString('en')} (${path.join('.')}).`,
})

const toFailure = (issues: Issue[]) => new Failure('invalid', { message: issues[0]?.message ?? '', issues })
