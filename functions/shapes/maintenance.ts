/** The texts of the maintenance page. */
export const maintenanceWords = {
  tag: 'System Maintenance',
  title: 'Maintenance in progress',
  text: "We'll be back up and running as soon as possible!",
}
