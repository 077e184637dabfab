/** What people read while the product is down, in the workspace and where nothing of it can be made. */
export const maintenanceWords = {
  tag: 'System Maintenance',
  title: 'Maintenance in progress',
  text: "We'll be back up and running as soon as possible!",
}
