import type { TrialResult } from './trial.ts'

/** The outcome of a trial read: rows, decisions made while reading, and why there are not more. */
export function TrialSummary({ trialResult, of }: { trialResult: TrialResult; of: string }) {
  const rows = trialResult.rows.length
  const refusedCount = trialResult.rows.filter(({ errors }) => errors.length > 0).length
  return (
    <div className="stack is-tight">
      <p>
        {rows ? (
          <>
            The first {rows === 1 ? 'row' : <strong className="num">{`${rows} rows`}</strong>} of{' '}
            <span className="anywhere">{of}</span>
            {refusedCount ? (
              <>, of which {refusedCount === 1 ? 'one does' : `${refusedCount} do`} not fit yet</>
            ) : null}
            .
          </>
        ) : (
          <>
            No rows were found in <span className="anywhere">{of}</span>.
          </>
        )}
      </p>
      {trialResult.error ? (
        <p className="notice is-warning" role="alert">
          {trialResult.error}
        </p>
      ) : null}
      {trialResult.notices.length ? (
        <ul className="notes">
          {[...new Set(trialResult.notices.map(({ message }) => message))].slice(0, 8).map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
