create trigger course_files after insert or delete or update of thumbnail, trailer_url on education.course
  for each row execute function kernel.track_public_files('thumbnail', 'trailer_url');
create trigger lesson_files after insert or delete or update of thumbnail_url, download_url, resources on education.lesson
  for each row execute function kernel.track_public_files('thumbnail_url', 'download_url', 'resources');

select kernel.adopt_public_files('education.course', id, concat_ws(' ', thumbnail, trailer_url)) from education.course
  where thumbnail is not null or trailer_url is not null;
select kernel.adopt_public_files('education.lesson', id, concat_ws(' ', thumbnail_url, download_url, resources))
  from education.lesson
  where thumbnail_url is not null or download_url is not null or resources <> '[]';
