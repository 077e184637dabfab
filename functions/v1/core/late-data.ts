import { endpoint } from '#functions/api/endpoint.ts'
import * as lateEmails from '#functions/domain/source/late-emails.ts'
import { LateEmails } from '#functions/shapes/late-data.ts'
import { StopOptions } from '#functions/shapes/observer.ts'

/** Emails about overdue data, to people who may change the sources: at most one a day. */
export const lateData = {
  emails: endpoint({
    allow: 'lateData.manage',
    http: { method: 'get' },
    returns: LateEmails,
    summary: 'Whether one is written to about late data',
    run: lateEmails.emails,
  }),
  setEmails: endpoint({
    allow: 'lateData.manage',
    http: { method: 'post' },
    data: LateEmails,
    returns: LateEmails,
    summary: 'Say whether one is written to about late data, at most once a day',
    run: lateEmails.setEmails,
  }),
  subscription: endpoint({
    allow: 'lateData.mute',
    http: { method: 'get' },
    options: StopOptions,
    returns: LateEmails,
    summary: 'Whether the holder of the link of an email about late data is written to',
    run: lateEmails.subscription,
  }),
  unsubscribe: endpoint({
    allow: 'lateData.mute',
    http: { method: 'post' },
    options: StopOptions,
    returns: LateEmails,
    summary: 'Stop the emails about late data, by the link of one',
    run: lateEmails.unsubscribe,
  }),
}
