import { listLastJobs } from '#functions/domain/importer/jobs.ts'
import { relation } from './relation.ts'

/** The last run of an importer; null without one, and when it does not match the filters. */
export const lastJob = relation({
  noun: 'job',
  by: 'id',
  isMany: false,
  columns: { id: 'text', status: 'text', trigger: 'text', queuedAt: 'date', finishedAt: 'date' },
  async load(ctx, { keys, condition }) {
    const rows = await listLastJobs(ctx, keys, condition)
    return rows.map((row) => ({ of: row.importerId, row }))
  },
})
