import type { Context, Settings } from '#functions/context.ts'
import { outboxPage } from '#functions/domain/email/email-outbox.ts'
import { deliverMail } from '#functions/domain/identity/deliver-mail.ts'
import { openMailbox } from '#functions/domain/identity/mailbox.ts'
import { sleepUntil } from '#functions/domain/identity/pace.ts'
import { openSystem } from '#functions/api/request-context.ts'
import type { Env } from '#functions/settings.ts'

/** The emails received since this process started, in memory only: their links are secrets and end with the process. */
const mailbox = openMailbox()

/** Whether emails are shown on a screen instead of being sent: in development, where no provider is configured. */
export const isOutboxShown = (env: Env, settings: Settings): boolean =>
  settings.environment !== 'production' && !env.MAIL_ENDPOINT

/** Moves the queued emails into the mailbox of this process and shows everything that it has received. */
export async function showOutbox(env: Env): Promise<Response> {
  const { ctx, close } = openSystem(env)
  try {
    while ((await deliverMail(ctx, mailbox.post)).sent > 0);
    for (let waits = 0; waits < 50 && (await isBeingSent(ctx)); waits++)
      await sleepUntil(ctx, Date.now() + 50)
  } finally {
    await close()
  }
  return new Response(outboxPage(mailbox.letters.slice(0, 50)), {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}

/** Whether another request is moving emails at the moment. */
async function isBeingSent({ db }: Context): Promise<boolean> {
  const row = await db
    .selectFrom('mail')
    .select('id')
    .where('outcome', 'is', null)
    .where('triedAt', '>', new Date(Date.now() - 5000))
    .executeTakeFirst()
  return row !== undefined
}
