import { getReadOnlyMembers } from './crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as users from '#functions/domain/place/users.ts'
import { Failure } from '#functions/errors.ts'
import { isOwnPassword } from '#functions/domain/identity/password.ts'
import * as ownActivity from '#functions/domain/identity/own-activity.ts'
import * as userKeys from '#functions/domain/identity/user-keys.ts'
import { ActivityOptions, UserActivities } from '#functions/shapes/activity.ts'
import { KeyOptions, Keys, MadeKey, NewKey } from '#functions/shapes/key.ts'
import { Deleted } from '#functions/shapes/returns.ts'
import { User, UserChanges, UserFarewell, UserOptions, Users } from '#functions/shapes/user.ts'

/** Keys that act as their person. */
const key = {
  find: endpoint({
    allow: 'key.read',
    options: KeyOptions,
    returns: Keys,
    summary: 'The own account keys',
    run: userKeys.find,
  }),
  create: endpoint({
    allow: 'key.create',
    data: NewKey,
    returns: MadeKey,
    stepUp: true,
    shownOnce: true,
    summary: 'Make an account key; it is shown this once',
    run: userKeys.create,
  }),
  deleteById: endpoint({
    allow: 'key.delete',
    returns: Deleted,
    summary: 'Revoke an own account key',
    run: userKeys.deleteById,
  }),
}

/** People. Everyone sees and changes only themselves. */
export const user = {
  find: endpoint({ allow: 'user.list', options: UserOptions, returns: Users, run: users.find }),
  findById: endpoint({ allow: 'user.read', returns: User, run: users.findById }),
  updateById: endpoint({
    allow: 'user.update',
    // Only for a change of the global role; a name needs none.
    stepUp: ({ role }) => role !== undefined,
    data: UserChanges,
    // The role is part of the row that everyone reads of themselves: unchanged it needs no permission.
    readOnly: { ...getReadOnlyMembers(User, UserChanges, users.findById), unchanged: ['role'] },
    returns: User,
    run: users.updateById,
  }),
  deleteById: endpoint({
    allow: 'user.delete',
    summary: 'Delete a user; who deletes themselves gives their password',
    data: UserFarewell,
    returns: Deleted,
    async run(ctx, request) {
      const isSelf = ctx.actor.user?.id === request.params.userId
      if (isSelf && !(await isOwnPassword(ctx, request.data?.password ?? '')))
        throw new Failure('invalid', {
          issues: [{ path: ['password'], message: 'The password is not right.' }],
        })
      return users.deleteById(ctx, request)
    },
  }),
  key,
  activity: {
    find: endpoint({
      allow: 'userActivity.read',
      options: ActivityOptions,
      returns: UserActivities,
      summary: 'What has happened to an account: signing in, passwords, second factors, keys',
      run: ownActivity.find,
    }),
  },
}
