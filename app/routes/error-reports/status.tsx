import type { ErrorReportStatus } from '#functions/shapes/error-report.ts'

/** The labels of the statuses. */
export const statusNames: Record<ErrorReportStatus, string> = {
  open: 'Open',
  answered: 'Answered',
  closed: 'Closed',
  spam: 'Spam',
}

/** The statuses as options, first that of a new report. */
export const statusOptions = Object.entries(statusNames).map(([value, label]) => ({ value, label }))

const signs: Record<ErrorReportStatus, string> = {
  open: 'badge is-warning',
  answered: 'badge is-success',
  closed: 'badge',
  spam: 'badge',
}

/** A badge with the status of a report. */
export function StatusBadge({ status }: { status: ErrorReportStatus }) {
  return <span className={signs[status]}>{statusNames[status]}</span>
}
