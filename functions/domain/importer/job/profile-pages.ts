import type { ProfileCursor } from './cursor.ts'
import { openPage } from './read-rows.ts'
import { advance, isOver, profilePrefix, type Run } from './run.ts'
import {
  profiler,
  profilerFrom,
  type Profiler,
  type ProfilerState,
} from '#functions/engine/import/profile/index.ts'

/**
 * Profiles the columns of all pages of a dry run, from the cursor on. The profile is stored at the end of a step: an
 * interrupted step is repeated. True when complete; false at the time limit.
 */
export async function profilePages(run: Run): Promise<boolean> {
  const { lease } = run
  const start = run.cursor.profile
  const columnProfiler = start ? await loadProfiler(run, start.key) : profiler()
  let { object: n, base, from } = start ?? { object: 0, base: 0, from: null }
  if (start && n >= run.cursor.objects) return true
  for (; n < run.cursor.objects; n++) {
    const page = await openPage(run, n, from)
    for await (const batch of page?.batches ?? []) {
      lease.beat()
      const start = base
      columnProfiler.add(batch.rows.map(({ at, value }) => ({ at: { ...at, row: start + at.row }, value })))
      from = batch.cursor
      if (!isOver(run)) continue
      await storeProfiler(run, columnProfiler, { object: n, base, from })
      return false
    }
    base += from?.rows ?? 0
    from = null
  }
  await storeProfiler(run, columnProfiler, { object: n, base, from })
  return true
}

async function loadProfiler({ ctx }: Run, key: string): Promise<Profiler> {
  const object = await ctx.files.get(key)
  if (!object) throw new Error('What is known of the columns of a dry run is gone.')
  return profilerFrom(JSON.parse(await object.text()) as ProfilerState)
}

/** Under a key that only the holder of this fence writes, before the cursor refers to it. */
async function storeProfiler(
  run: Run,
  columnProfiler: Profiler,
  at: Omit<ProfileCursor, 'key'>,
): Promise<void> {
  const key = `${profilePrefix(run.job.id)}${at.object}-${at.from?.rows ?? 0}-${run.job.fence}.json`
  await run.ctx.files.put(key, JSON.stringify(columnProfiler), {
    httpMetadata: { contentType: 'application/json' },
  })
  await advance(run, { cursor: { profile: { ...at, key } } })
}
