import type { Module } from './modules.ts'

/** A path through the code from request to result, for readers who want to know how something works. */
interface Flow {
  name: string
  /**
   * The files to open, in the order of execution. Each is imported by an earlier one, except those in
   * `handedOver`.
   */
  stops: readonly string[]
  /** Stops that are reached by a queue message or a request of their own. */
  handedOver: readonly string[]
}

/** The four flows that `functions/README.md` describes. */
export const flows: readonly Flow[] = [
  {
    name: 'groupings of a question',
    stops: [
      'functions/v1/dataset.ts',
      'functions/domain/dataset/dataset.ts',
      'functions/domain/dataset/open.ts',
      'functions/engine/query/index.ts',
      'functions/engine/query/parse/groupings.ts',
      'functions/engine/query/parse/value.ts',
      'functions/engine/query/library/index.ts',
      'functions/engine/query/compile/query.ts',
      'functions/engine/query/compile/groupings.ts',
      'functions/engine/query/present.ts',
    ],
    handedOver: [],
  },
  {
    name: 'an uploaded file to its table',
    stops: [
      'functions/v1/importer.ts',
      'functions/domain/importer/run.ts',
      'functions/domain/importer/job/queue.ts',
      'functions/jobs/background.ts',
      'functions/domain/importer/job/work.ts',
      'functions/domain/importer/job/step.ts',
      'functions/domain/importer/job/fetch-pages.ts',
      'functions/engine/import/parse/index.ts',
      'functions/domain/importer/job/read-rows.ts',
      'functions/engine/import/map/index.ts',
      'functions/domain/importer/job/commit-rows.ts',
      'functions/domain/records/ingest.ts',
      'functions/domain/records/write.ts',
    ],
    handedOver: ['functions/jobs/background.ts'],
  },
  {
    name: 'an edit of a story to the hub',
    stops: [
      'app/routes/pages/modify.tsx',
      'app/routes/pages/modify.server.ts',
      'functions/v1/index.ts',
      'functions/v1/place/index.ts',
      'functions/v1/place/page.ts',
      'functions/v1/place/content.ts',
      'functions/domain/page/contents.ts',
      'functions/domain/outbox/outbox.ts',
      'functions/jobs/background.ts',
      'functions/jobs/publish/publish.ts',
      'functions/jobs/publish/make-hub.ts',
      'functions/jobs/publish/stages.ts',
      'functions/jobs/publish/prerender.ts',
      'app/routes/pages/preview.tsx',
      'functions/edge/hub/manifest.ts',
    ],
    handedOver: ['functions/jobs/background.ts', 'app/routes/pages/preview.tsx'],
  },
  {
    name: 'a visitor’s request',
    stops: [
      'functions/worker.ts',
      'functions/edge/hub/resolve.ts',
      'functions/edge/routes.ts',
      'functions/edge/hub/static-hub.ts',
      'functions/edge/hub/served-pages.ts',
      'functions/edge/hub/manifest.ts',
    ],
    handedOver: [],
  },
]

/**
 * Finds what is wrong with a flow, as sentences: a stop that does not exist, or that no earlier one imports.
 * Empty when the flow is correct.
 */
export function findGaps({ name, stops, handedOver }: Flow, modules: ReadonlyMap<string, Module>): string[] {
  return stops.flatMap((stop, at) => {
    if (!modules.has(stop)) return [`${name}: ${stop} does not exist`]
    if (at === 0 || handedOver.includes(stop)) return []
    const isReached = stops
      .slice(0, at)
      .some((before) => modules.get(before)?.imports.some(({ from }) => from === stop))
    return isReached ? [] : [`${name}: nothing before ${stop} imports it`]
  })
}
