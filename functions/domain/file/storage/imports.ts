import { sql } from 'kysely'
import { addCounts, endPass, readCheck, saveCheck } from './check.ts'
import type { Storage } from './files.ts'
import type { Context } from '#functions/context.ts'

const part = 'imports/'
const graceMs = 24 * 3600_000

/**
 * Deletes files fetched by importer runs that no database has, a day after they were stored; continues where the night
 * before ended, up to a number of lists. Files of existing runs are deleted by these, or by the sweep of their database.
 * Returns whether it reached the end.
 */
export async function checkImports(storage: Storage, most = { lists: 50, names: 1000 }): Promise<boolean> {
  const { files, home, askAll } = storage
  let check = await readCheck(home.db, part)
  for (let lists = 0; lists < most.lists; lists += 1) {
    const from = check.cursor ? { startAfter: check.cursor } : {}
    const list = await files.list({ prefix: part, limit: most.names, ...from })
    const ids = [...new Set(list.objects.map(({ key }) => getJobId(key)))]
    const jobIds = new Set((await askAll((ctx) => listJobIds(ctx, ids))).flat())
    const before = home.now().getTime() - graceMs
    const alone = list.objects.filter(
      ({ key, uploaded }) => !jobIds.has(getJobId(key)) && uploaded.getTime() < before,
    )
    if (alone.length > 0) await files.delete(alone.map(({ key }) => key))
    const row = { objects: list.objects.length, orphans: alone.length, deleted: alone.length }
    check = { part, cursor: list.objects.at(-1)?.key ?? '', counts: addCounts(check.counts, row) }
    if (!list.truncated) {
      await endPass(home, check)
      return true
    }
    await saveCheck(home, check)
  }
  return false
}

const getJobId = (key: string) => key.split('/')[1] ?? ''

async function listJobIds(ctx: Context, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from job where id = any(${ids}::text[])`.execute(
    ctx.db,
  )
  return rows.map(({ id }) => id)
}
