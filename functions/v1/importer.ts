import { reads, writes } from './crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import { discard } from '#functions/domain/importer/delete-abandoned.ts'
import * as importers from '#functions/domain/importer/importers.ts'
import { commit, preview } from '#functions/domain/importer/dry-run.ts'
import { importerMeta } from '#functions/domain/importer/meta.ts'
import { forSource } from '#functions/domain/importer/of-source.ts'
import { rejects } from '#functions/domain/importer/rejects.ts'
import { rollback } from '#functions/domain/importer/rollback.ts'
import { run, stop } from '#functions/domain/importer/run.ts'
import { test } from '#functions/domain/importer/try.ts'
import { importerTemplates } from '#functions/domain/importer/templates.ts'
import * as jobs from '#functions/domain/importer/jobs.ts'
import {
  Importer,
  ImporterChanges,
  ImporterMeta,
  ImporterOptions,
  ImporterTemplates,
  NewImporter,
  Started,
  Stopped,
  Tried,
} from '#functions/shapes/importer.ts'
import {
  Job,
  JobLogs,
  JobOptions,
  JobRejects,
  LogOptions,
  Preview,
  RejectOptions,
  RunOptions,
} from '#functions/shapes/job.ts'
import { Deleted, buildListShape } from '#functions/shapes/returns.ts'

/** Importers, which bring rows into a source from elsewhere, their runs and logs. */
export const importer = {
  ...writes(
    { create: 'importer.create', update: 'importer.update', delete: 'importer.delete' },
    { create: NewImporter, update: ImporterChanges },
    importers,
    Importer,
  ),
  ...reads('importer.read', ImporterOptions, importers, Importer),
  test: endpoint({
    allow: 'importer.create',
    data: NewImporter,
    returns: Tried,
    summary: 'Try an importer on its first rows, and store nothing',
    run: test,
  }),
  templates: endpoint({
    allow: 'importer.read',
    http: { method: 'get' },
    returns: ImporterTemplates,
    summary: 'Starting points for importers',
    run: forSource(importerTemplates),
  }),
  meta: endpoint({
    allow: 'importer.read',
    http: { method: 'get' },
    returns: ImporterMeta,
    summary: 'What an importer can be made of',
    run: forSource(importerMeta),
  }),
  run: endpoint({
    allow: 'importer.run',
    http: { method: 'post', one: true },
    options: RunOptions,
    returns: Started,
    summary: 'Run an importer now, or only say what that would do',
    run,
  }),
  stop: endpoint({
    allow: 'importer.run',
    http: { method: 'post', one: true },
    returns: Stopped,
    summary: 'Stop the run of an importer',
    run: stop,
  }),
  discard: endpoint({
    allow: 'source.delete',
    http: { method: 'post', one: true },
    stepUp: true,
    returns: Deleted,
    summary: 'Delete a source that its importer never filled, with the data type that was made for it',
    run: discard,
  }),
  job: {
    logs: endpoint({
      allow: 'importer.read',
      http: { method: 'get', one: true },
      stream: true,
      media: ['text/plain'],
      options: LogOptions,
      returns: JobLogs,
      summary: 'What a run wrote, as a list or as plain text',
      run: jobs.logs,
    }),
    rejects: endpoint({
      allow: 'importer.read',
      http: { method: 'get', one: true },
      stream: true,
      media: ['text/csv'],
      options: RejectOptions,
      returns: JobRejects,
      summary: 'Rows that a run refused, with what is wrong and where they stand',
      run: rejects,
    }),
    preview: endpoint({
      allow: 'importer.read',
      http: { method: 'get', one: true },
      returns: Preview,
      summary: 'What a dry run found: what would change, and what all rows say of the data type',
      run: preview,
    }),
    commit: endpoint({
      allow: 'importer.run',
      http: { method: 'post', one: true },
      returns: Job,
      summary: 'Commit what a dry run has read',
      run: commit,
    }),
    rollback: endpoint({
      allow: 'importer.run',
      http: { method: 'post', one: true },
      returns: Job,
      summary: 'Bring the records back to what they were before a run',
      run: rollback,
    }),
    find: endpoint({
      allow: 'importer.read',
      options: JobOptions,
      returns: buildListShape(Job),
      run: jobs.find,
    }),
    findById: endpoint({ allow: 'importer.read', returns: Job, run: jobs.findById }),
  },
}
