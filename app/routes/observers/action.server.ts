import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { v1 } from '#functions/v1/index.ts'
import { handleFormKeepingValues } from '#app/server/form-values.server.ts'

/** Maximum number of alerts marked as read at once. */
const maxRead = 100

/** The actions of an observer's page: marking alerts as read, deleting them, repeating webhooks. Without alerts it succeeds. */
export async function observerAction(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  const { dataTypeId = '', observerId = '' } = args.params
  const ids = String(form.get('unread') ?? '')
    .split(',')
    .filter(Boolean)
    .slice(0, maxRead)
  const outcome = await handleFormKeepingValues(args, ({ alertId = '', webhookId = '' }) => ({
    resend: { endpoint: v1.place.observer.delivery.resend, data: () => ({ ids: [webhookId] }) },
    resendAll: { endpoint: v1.place.observer.delivery.resend, data: () => ({}) },
    // Separately, so that an alert deleted meanwhile does not stop the others.
    read: {
      endpoint: v1.place.observer.alert.findById,
      each: ids.map((alertId) => ({ params: { alertId }, data: undefined })),
      goesOn: true as const,
    },
    deleteAlert: {
      endpoint: v1.place.observer.alert.deleteById,
      params: { alertId },
      then: () => `/types/${dataTypeId}/observers/${observerId}`,
    },
  }))
  if (!outcome.ok || outcome.intent !== 'read') return outcome
  const [errorMessage] = outcome.result.flatMap((each) => (each.ok ? [] : [each.message]))
  if (errorMessage === undefined || outcome.result.some(({ ok }) => ok)) return outcome
  return { ok: false as const, intent: 'read', message: errorMessage, status: 409, issues: [] }
}
