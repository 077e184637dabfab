import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { errorReportDays } from '#functions/shapes/error-report.ts'

/** Deletes reports older than half a year, whatever their state. Called every night, as the product. */
export async function sweepErrorReports({ db }: Pick<Context, 'db'>): Promise<void> {
  await sql`
    delete from error_report where created_at < now() - make_interval(days => ${errorReportDays})`.execute(db)
}
