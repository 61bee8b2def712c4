export { openWorkshop } from './workshop/openWorkshop.js';
