import { ActivityLog } from '#app/components/activity/activity-log.tsx'
import { JobBadge } from '#app/components/importer/job-badge.tsx'
import { ProgressLine } from '#app/components/importer/progress-line.tsx'
import { AnswerTable } from '#app/components/insight/answer-table.tsx'
import { PublishBadge, VisibilityBadge, visibilityFilter } from '#app/components/list/badges.tsx'
import { BulkSelection } from '#app/components/list/bulk-selection.tsx'
import { WhereUsed } from '#app/components/list/where-used.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { DeletedList } from '#app/components/list/deleted-list.tsx'
import { List } from '#app/components/list/list.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { listQuery, type ListOffer } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Clock, Count, Day, Moment } from '#app/components/list/time.tsx'
import { WaitingInvites } from '#app/components/list/waiting-invites.tsx'
import { UnreadAlerts } from '#app/components/observer/unread-alerts.tsx'
import { HubTroubles } from '#app/components/org/hub-troubles.tsx'
import { Avatar } from '#app/components/shell/avatar.tsx'
import { Crumbs } from '#app/components/shell/page-head.tsx'
import { Tabs } from '#app/components/shell/tabs.tsx'
import { jobStatuses } from '#functions/shapes/job-status.ts'
import { Part, Sample } from './sample.tsx'

const offer: ListOffer = {
  sorts: {
    name: { label: 'Name', field: 'name', direction: 'asc' },
    changed: { label: 'Last changed', field: 'updatedAt', direction: 'desc' },
  },
  filters: { visibility: visibilityFilter },
}
const query = listQuery(new URL('https://localhost/gallery?search=tree&page=2'), offer)
const at = '2026-11-20T09:30:00.000Z'
const line = { targetType: 'source', targetId: 'trees', counts: null, at, targetName: 'Trees' }

/** Lists of every length, and what stands in their rows. */
export function Lists() {
  return (
    <Part title="Lists, tables and signs">
      <ListSamples />
      <SignSamples />
    </Part>
  )
}

function ListSamples() {
  return (
    <>
      <Sample name="Tabs, Crumbs">
        <Tabs
          label="Parts of a source"
          tabs={[
            { to: '/gallery', label: 'Records' },
            { to: '/gallery/importers', label: 'Importers' },
            { to: '/gallery/export', label: 'Export' },
          ]}
        />
        <Crumbs
          crumbs={[
            { label: 'Data', to: '/sources' },
            { label: 'Trees', to: '/gallery' },
          ]}
        />
      </Sample>
      <Sample name="List, ListItem">
        <List
          offer={offer}
          list={{ query, total: 412 }}
          noun="sources"
          visibleCount={50}
          empty={{ title: 'No sources yet' }}
          end={
            <button type="button" className="button is-primary">
              New source
            </button>
          }
        >
          <ul className="list">
            <ListItem
              to="/gallery"
              title="Trees"
              note="Every tree on a street"
              meta={<Count n={412_380} />}
            />
            <ListItem
              to="/gallery"
              title="A name that is so long that it has to be cut off or go on in a second line of its row"
              meta={<VisibilityBadge visibility="place" />}
            />
          </ul>
        </List>
        <Pager query={{ page: 1, pageSize: 50 }} visibleCount={12} total={12} noun="sources" />
      </Sample>
      <ChoosingSample />
      <Sample name="DeletedList">
        <DeletedList rows={[{ id: 'water', name: 'Water', note: '12 insights' }]} />
      </Sample>
      <Sample name="Badges, JobBadge, Avatar">
        <p className="row">
          <VisibilityBadge visibility="public" />
          <VisibilityBadge visibility="place" />
          <VisibilityBadge visibility="private" />
          <PublishBadge publish="draft" />
          <PublishBadge publish="published" />
          <span className="tag">tag</span>
          <Avatar name="Ada Lovelace" image={null} />
          <Avatar name="Ada Lovelace" image={null} isLarge />
        </p>
        {jobStatuses.map((status) => (
          <p key={status} className="row">
            <JobBadge job={{ status, kind: 'run' }} />
          </p>
        ))}
      </Sample>
    </>
  )
}

function ChoosingSample() {
  return (
    <Sample name="Choosing, WhereUsed">
      <BulkSelection to="/gallery" actions={[{ value: 'public', label: 'Make public' }]}>
        <ul className="list">
          <ListItem
            to="/gallery"
            title="Trees"
            choice={{ id: 'trees', name: 'Trees' }}
            note="Chosen with others"
          />
          <ListItem to="/gallery" title="Water" choice={{ id: 'water', name: 'Water' }} />
        </ul>
      </BulkSelection>
      <WhereUsed
        lines={[{ label: 'Insights', total: 12, users: [{ name: 'Trees by ward', to: '/gallery' }] }]}
        nowhere="Nothing uses it."
      />
      <WhereUsed lines={[]} nowhere="Nothing uses it." />
    </Sample>
  )
}

function SignSamples() {
  return (
    <>
      <Sample name="ProgressLine">
        <ProgressLine label="Uploading trees.csv" value={42} max={100} text="42 of 100 MB" />
        <ProgressLine label="Reading trees.csv" text="12,000 rows" />
      </Sample>
      <Sample name="Facts, Day, Moment, Clock, Count">
        <Facts
          facts={[
            ['Day', <Day key="day" date={at} />],
            ['Moment', <Moment key="moment" date={at} />],
            ['Clock', <Clock key="clock" date={at} />],
            ['Never', <Day key="never" date={null} />],
            ['Records', <Count key="count" n={412_380} />],
          ]}
        />
      </Sample>
      <Sample name="ActivityLog">
        <ActivityLog
          level={3}
          lines={[
            { ...line, id: '1', verb: 'updated', actorId: 'ada', actorName: 'Ada Lovelace' },
            { ...line, id: '2', verb: 'imported', actorId: null, actorName: null, counts: { created: 12 } },
          ]}
        />
      </Sample>
      <Sample name="AnswerTable">
        <AnswerTable
          name="Trees by district"
          table={{
            columns: [{ label: 'District' }, { label: 'Trees', isNumber: true }],
            rows: [
              ['Ballard', '41,207'],
              ['Capitol Hill', '12,311'],
            ],
          }}
        />
      </Sample>
      <Sample name="WaitingInvites, UnreadAlerts, HubTroubles">
        <WaitingInvites invites={[{ id: 'invite', placeName: 'Seattle' }]} />
        <UnreadAlerts
          unread={{
            total: 3,
            observers: [{ id: 'one', dataTypeId: 'tree', name: 'Trees that fell', count: 3 }],
          }}
        />
        <HubTroubles
          mayRetry
          troubles={[
            {
              id: 'pages',
              message: 'The pages of the hub cannot be written.',
              next: 'It is tried again in a minute.',
            },
          ]}
        />
      </Sample>
    </>
  )
}
