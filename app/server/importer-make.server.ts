import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { v1 } from '#functions/v1/index.ts'
import { act, type Refusal } from './load.server.ts'

/** What a new importer does with records that are there: rows with ids replace themselves, others replace all. */
export const modeFor = (isKeyed: boolean) => (isKeyed ? 'upsert' : 'replace')

/**
 * Makes an importer and looks at what it would do: goes on to the page of its dry run, or says why it cannot be made.
 * `intent` is that of the form which asks for it.
 */
export async function madeImporter(
  args: ActionFunctionArgs,
  { sourceId, intent, data }: { sourceId: string; intent: string; data: object },
): Promise<Refusal> {
  const again = (): ActionFunctionArgs => ({ ...args, request: args.request.clone() as typeof args.request })
  const outcome = await act(again(), {
    [intent]: { endpoint: v1.source.importer.create, params: { sourceId }, data: () => data },
  })
  if (!outcome.ok) return outcome
  const { id: importerId } = outcome.result
  return act(again(), {
    [intent]: {
      endpoint: v1.source.importer.run,
      params: { sourceId, importerId },
      options: { dryRun: true },
      then: ({ id }: { id: string }) => `/sources/${sourceId}/importers/${importerId}/${id}`,
    },
  })
}
