import { DataTable, type TableData } from '../hub/data-table.tsx'

/** The rows of an insight's result under a heading. */
export function AnswerTable({ table, name }: { table: TableData; name: string }) {
  return (
    <section className="stack is-fitting" aria-labelledby="answer">
      <h2 id="answer">Answer</h2>
      <DataTable {...table} label={`Answer of ${name}`} />
    </section>
  )
}
