import { formatNumber } from '#app/components/list/number-format.ts'
import { ListItem } from '#app/components/list/list-item.tsx'
import { JobBadge } from '#app/components/importer/job-badge.tsx'
import { listJobCounts, formatDuration, type ShownJob } from '#app/components/importer/job-words.ts'
import { Moment } from '#app/components/list/time.tsx'

/** Runs of an importer with their outcomes. `at`: the path of the importer. */
export function JobList({ jobs, at, now }: { jobs: ShownJob[]; at: string; now: string }) {
  return (
    <ul className="list">
      {jobs.map((job) => (
        <ListItem
          key={job.id}
          to={`${at}/${job.id}`}
          title={<Moment date={job.queuedAt} />}
          note={
            job.error ??
            listJobCounts(job)
              .map(([label, n]) => `${formatNumber(n)} ${label.toLowerCase()}`)
              .join(', ')
          }
          meta={
            <>
              <span>{formatDuration(job, new Date(now))}</span>
              <JobBadge job={job} />
            </>
          }
        />
      ))}
    </ul>
  )
}
