import type { Context, Settings } from '#functions/context.ts'
import { outboxPage } from '#functions/domain/email/emailOutbox.ts'
import { deliverMail } from '#functions/domain/identity/deliver-mail.ts'
import { openMailbox } from '#functions/domain/identity/mailbox.ts'
import { until } from '#functions/domain/identity/pace.ts'
import { openSystem } from '#functions/api/request-context.ts'
import type { Env } from '#functions/settings.ts'

/** The letters that were received since this process started: their links are in its memory only, and end with it. */
const mailbox = openMailbox()

/** Whether letters are shown here instead of being sent: on one machine, where no provider is configured. */
export const isOutboxShown = (env: Env, settings: Settings): boolean =>
  settings.environment !== 'production' && !env.MAIL_ENDPOINT

/** Sends the letters that wait into the mailbox of this process, and shows all it has. */
export async function showOutbox(env: Env): Promise<Response> {
  const { ctx, close } = openSystem(env)
  try {
    while ((await deliverMail(ctx, mailbox.post)).sent > 0);
    for (let waits = 0; waits < 50 && (await isBeingSent(ctx)); waits++) await until(Date.now() + 50)
  } finally {
    await close()
  }
  return new Response(outboxPage(mailbox.letters.slice(0, 50)), {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}

/** Whether someone else, who looks at the same time, is having letters sent just now. */
async function isBeingSent({ db }: Context): Promise<boolean> {
  const row = await db
    .selectFrom('mail')
    .select('id')
    .where('outcome', 'is', null)
    .where('triedAt', '>', new Date(Date.now() - 5000))
    .executeTakeFirst()
  return row !== undefined
}
