import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { v1 } from '#functions/v1/index.ts'
import { handleForm, type Refusal } from './load.server.ts'

/** The write mode of a new importer: rows with ids are upserted, others replace all records. */
export const modeFor = (isKeyed: boolean) => (isKeyed ? 'upsert' : 'replace')

/** Creates an importer and starts its dry run: redirects to its page, or returns the failure. `intent`: of the submitted form. */
export async function createAndStartImporter(
  args: ActionFunctionArgs,
  { sourceId, intent, data }: { sourceId: string; intent: string; data: object },
): Promise<Refusal> {
  const cloneArgs = (): ActionFunctionArgs => ({
    ...args,
    request: args.request.clone() as typeof args.request,
  })
  const outcome = await handleForm(cloneArgs(), {
    [intent]: { endpoint: v1.source.importer.create, params: { sourceId }, data: () => data },
  })
  if (!outcome.ok) return outcome
  const { id: importerId } = outcome.result
  return handleForm(cloneArgs(), {
    [intent]: {
      endpoint: v1.source.importer.run,
      params: { sourceId, importerId },
      options: { dryRun: true },
      then: ({ id }: { id: string }) => `/sources/${sourceId}/importers/${importerId}/${id}`,
    },
  })
}
