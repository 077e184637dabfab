import { getReadOnlyMembers, reads } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as emails from '#functions/domain/error-report/emails.ts'
import * as errorReports from '#functions/domain/error-report/error-reports.ts'
import {
  ErrorReportChanges,
  ErrorReportEmails,
  ErrorReportOptions,
  ErrorReportRow,
  ErrorReportSubscription,
} from '#functions/shapes/error-report.ts'
import { StopOptions } from '#functions/shapes/observer.ts'
import { Deleted } from '#functions/shapes/returns.ts'

/** Error reports of hub readers. They are created only by the report form of a source on the hub. */
export const errorReport = {
  emails: endpoint({
    allow: 'errorReport.read',
    http: { method: 'get' },
    returns: ErrorReportEmails,
    summary: 'Whether one is written to about new reports of a place',
    run: emails.emails,
  }),
  setEmails: endpoint({
    allow: 'errorReport.update',
    http: { method: 'post' },
    data: ErrorReportEmails,
    returns: ErrorReportEmails,
    summary: 'Say whether one is written to about new reports of a place, at most once an hour',
    run: emails.setEmails,
  }),
  subscription: endpoint({
    allow: 'errorReport.mute',
    http: { method: 'get' },
    options: StopOptions,
    returns: ErrorReportSubscription,
    summary: 'What the link of an email about reports is about',
    run: emails.subscription,
  }),
  unsubscribe: endpoint({
    allow: 'errorReport.mute',
    http: { method: 'post' },
    options: StopOptions,
    returns: ErrorReportSubscription,
    summary: 'Stop the emails about reports, by the link of one',
    run: emails.unsubscribe,
  }),
  ...reads('errorReport.read', ErrorReportOptions, errorReports, ErrorReportRow),
  updateById: endpoint({
    allow: 'errorReport.update',
    data: ErrorReportChanges,
    readOnly: getReadOnlyMembers(ErrorReportRow, ErrorReportChanges, errorReports.findById),
    returns: ErrorReportRow,
    summary: 'Say how far one is with a report, or note something about it',
    run: errorReports.updateById,
  }),
  deleteById: endpoint({
    allow: 'errorReport.delete',
    returns: Deleted,
    summary: 'Delete a report for good',
    run: errorReports.deleteById,
  }),
}
