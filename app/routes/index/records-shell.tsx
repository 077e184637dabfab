import { recordSlots } from '#functions/engine/table/page.ts'

/** The page of tables of records with its place to fill: stored once a language, completed for each table. */
export function RecordsShell() {
  return (
    <div className="page records-page" data-records="">
      {recordSlots.content}
    </div>
  )
}
